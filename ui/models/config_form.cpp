// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/config_form.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <QFont>
#include <QJsonArray>
#include <QLocale>
#include <QMap>
#include <QRegularExpression>

#include "ui/models/text/core_text.hpp"

namespace seedbed::ui {
namespace {

FormLevel levelFrom(const QString& text) {
    return text == QLatin1String("goal")     ? FormLevel::goal
           : text == QLatin1String("recipe") ? FormLevel::recipe
                                             : FormLevel::everything;
}

// Writes a range such as "1 to 1e+06" with all digits: "1 to 1,000,000".
QString withAllDigits(QString text) {
    static const QRegularExpression power(QStringLiteral("(\\d+(?:\\.\\d+)?)e\\+(\\d+)"));
    for (auto match = power.match(text); match.hasMatch(); match = power.match(text)) {
        const double value = QLocale::c().toDouble(match.captured());
        if (!(value < 1e15)) break;
        text.replace(match.capturedStart(), match.capturedLength(),
                     QLocale().toString(static_cast<qlonglong>(value)));
    }
    return text;
}

// Translates a range printed by the command line ("0 to 1") to the window's language.
QString allowedText(const QString& english) {
    static const QRegularExpression one_of(QStringLiteral("^one of (.*)$")),
        between(QStringLiteral("^(\\S+) to (\\S+)$")), from(QStringLiteral("^(\\S+) or more$")),
        up_to(QStringLiteral("^(\\S+) or less$"));
    const auto number = [](const QString& text) {
        const QString full = withAllDigits(text);
        return full == text ? localNumber(text) : full;
    };
    if (const auto match = one_of.match(english); match.hasMatch())
        return ConfigForm::tr("one of %1").arg(match.captured(1));
    if (const auto match = between.match(english); match.hasMatch())
        return ConfigForm::tr("%1 to %2", "a range")
            .arg(number(match.captured(1)), number(match.captured(2)));
    if (const auto match = from.match(english); match.hasMatch())
        return ConfigForm::tr("%1 or more").arg(number(match.captured(1)));
    if (const auto match = up_to.match(english); match.hasMatch())
        return ConfigForm::tr("%1 or less").arg(number(match.captured(1)));
    return english;
}

QString sectionTitle(const QString& name) {
    const std::pair<const char*, QString> titles[] = {
        {"run", ConfigForm::tr("Run: length and device")},
        {"env", ConfigForm::tr("Environment")},
        {"algo", ConfigForm::tr("Algorithm")},
        {"network", ConfigForm::tr("Network")},
        {"optimiser", ConfigForm::tr("Optimiser")},
        {"actor", ConfigForm::tr("Actors: stepping environments")},
        {"infer", ConfigForm::tr("Inference: computing actions")},
        {"learner", ConfigForm::tr("Learner: batches and updates")},
        {"self_play", ConfigForm::tr("Self-play: opponents")},
        {"policies", ConfigForm::tr("Several policies")},
        {"eval", ConfigForm::tr("Evaluation during training")},
        {"checkpoint", ConfigForm::tr("Checkpoints")}};
    for (const auto& [key, title] : titles)
        if (name == QLatin1String(key)) return title;
    return readableName(name);
}

// Values at least this large have a special meaning ("no limit") and are not shown as numbers.
constexpr double kNoNumber = 1e9;

bool isNumber(const QString& type) {
    return type == QLatin1String("integer") || type == QLatin1String("real");
}
bool isNumberList(const QString& type) {
    return type == QLatin1String("integers") || type == QLatin1String("reals");
}

// Returns an error message, or "". Converts `text` to the form that the command line accepts.
QString checkNumber(const FormField& field, QString& text) {
    bool ok = false;
    QString plain = text.trimmed();
    plain.remove(QLatin1Char('_'));
    // A comma is a decimal separator, never a thousands separator: 0,005 is 0.005.
    QLocale strict = QLocale::c();
    strict.setNumberOptions(QLocale::RejectGroupSeparator);
    double value = strict.toDouble(plain, &ok);
    if (!ok && !isNumberList(field.type) && plain.count(QLatin1Char(',')) == 1 &&
        !plain.contains(QLatin1Char('.')))
        value = strict.toDouble(plain.replace(QLatin1Char(','), QLatin1Char('.')), &ok);
    if (!ok || !std::isfinite(value)) return ConfigForm::tr("“%1” is not a number").arg(text);
    const bool whole = field.type == QLatin1String("integer") || field.type == QLatin1String("integers");
    // Reject 1.000, in which the point may be meant as a thousands separator.
    const bool dotted =
        plain.contains(QLatin1Char('.')) && !plain.contains(QLatin1Char('e'), Qt::CaseInsensitive);
    if (whole && (value != std::floor(value) || dotted))
        return ConfigForm::tr("“%1” is not a whole number").arg(text);
    if (value < field.min || value > field.max)
        return ConfigForm::tr("%1 is out of range; allowed: %2").arg(text, field.allowed);
    text = whole && std::abs(value) < 9e15 ? QString::number(static_cast<qint64>(value))
                                           : settingText(QJsonValue(value));
    return {};
}

// Replaces the meaning or display text of a special value with the value.
void replaceMeaning(const FormField& field, QString& text) {
    const QString word = text.trimmed();
    for (const auto& [value, means] : field.special)
        if (word.compare(means, Qt::CaseInsensitive) == 0 ||
            word.compare(field.shown(value), Qt::CaseInsensitive) == 0 ||
            (word.isEmpty() && value == field.default_text)) {
            text = value;
            return;
        }
}

QString checked(const FormField& field, QString& text) {
    replaceMeaning(field, text);
    if (isNumber(field.type)) return checkNumber(field, text);
    if (isNumberList(field.type)) {
        QStringList items = text.split(QLatin1Char(','), Qt::SkipEmptyParts);
        for (QString& item : items)
            if (const QString problem = checkNumber(field, item); !problem.isEmpty()) return problem;
        text = items.join(QLatin1Char(','));
    }
    if (field.type == QLatin1String("boolean") && text != QLatin1String("true") &&
        text != QLatin1String("false"))
        return ConfigForm::tr("“%1” must be true or false").arg(text);
    if (!field.choices.isEmpty() && !field.choices.contains(text))
        return ConfigForm::tr("“%1” is not one of: %2").arg(text, field.choices.join(QStringLiteral(", ")));
    return {};
}

// Converts valid text to the form that the command line accepts.
QString normalized(const FormField& field, QString text) {
    (void)checked(field, text);
    return text;
}

// A field's type, range, level and texts, without its value.
FormField fieldOf(const QJsonObject& json) {
    FormField field;
    field.key = json[QStringLiteral("key")].toString();
    field.section = field.key.section(QLatin1Char('.'), 0, 0);
    field.name = field.key.section(QLatin1Char('.'), 1);
    field.type = json[QStringLiteral("type")].toString();
    field.unit = coreText(json[QStringLiteral("unit")].toString());
    field.help = coreText(json[QStringLiteral("help")].toString());
    field.allowed = allowedText(json[QStringLiteral("allowed")].toString());
    for (const QJsonValue& choice : json[QStringLiteral("choices")].toArray())
        field.choices += choice.toString();
    for (const QJsonValue& each : json[QStringLiteral("special")].toArray())
        field.special.emplace_back(settingText(each[QStringLiteral("value")]),
                                   coreText(each[QStringLiteral("means")].toString()));
    field.min = json[QStringLiteral("min")].toDouble(-std::numeric_limits<double>::infinity());
    field.max = json[QStringLiteral("max")].toDouble(std::numeric_limits<double>::infinity());
    field.level = levelFrom(json[QStringLiteral("level")].toString());
    field.default_text = settingText(json[QStringLiteral("default")]);
    return field;
}

}  // namespace

QString FormField::shown(const QString& value) const {
    for (const auto& [number, means] : special)
        if (value == number)
            return std::abs(QLocale::c().toDouble(number)) >= kNoNumber
                       ? means
                       : QStringLiteral("%1: %2").arg(localNumber(number), means);
    if (type == QLatin1String("boolean"))
        return value == QLatin1String("true") ? ConfigForm::tr("on") : ConfigForm::tr("off");
    bool whole = false;
    const qlonglong number = value.toLongLong(&whole);
    if (type == QLatin1String("integer") && whole && std::abs(number) >= 10'000)
        return QLocale().toString(number);
    return isNumber(type) ? localNumber(value) : value;
}

QStringList FormField::specialTexts() const {
    QStringList all;
    for (const auto& [number, means] : special) all += shown(number);
    return all;
}

QString settingText(const QJsonValue& value) {
    switch (value.type()) {
        case QJsonValue::Bool: return value.toBool() ? QStringLiteral("true") : QStringLiteral("false");
        case QJsonValue::Double: {
            const double number = value.toDouble();
            if (number == std::floor(number) && std::abs(number) < 9e15)
                return QString::number(static_cast<qint64>(number));
            // 0.0005, but 1e-08.
            return QString::number(number, std::abs(number) >= 1e-5 && std::abs(number) < 1e9 ? 'f' : 'g',
                                   QLocale::FloatingPointShortest);
        }
        case QJsonValue::String: return value.toString();
        case QJsonValue::Array: {
            QStringList items;
            for (const QJsonValue& item : value.toArray()) items += settingText(item);
            return items.join(QLatin1Char(','));
        }
        default: return {};
    }
}

void ConfigForm::load(const QString& env, const QString& preset, const QString& algo,
                      const QJsonObject& reply) {
    // Keeps the user's changes after a change of preset or algorithm if they are still valid.
    QMap<QString, QString> kept;
    if (env == env_)
        for (const Section& section : sections_)
            for (const FormField& field : section.fields)
                if (field.changed()) kept[field.key] = field.text;
    beginResetModel();
    env_ = env;
    preset_ = preset;
    algo_ = algo;
    sections_.clear();
    open_sections_.clear();
    for (const QJsonValue& name : reply[QStringLiteral("open")].toArray()) open_sections_ += name.toString();
    const QJsonObject config = reply[QStringLiteral("config")].toObject();
    for (const QJsonValue& value : reply[QStringLiteral("fields")].toArray()) {
        const QJsonObject json = value.toObject();
        FormField field = fieldOf(json);
        QJsonValue now = config[field.section];
        for (const QString& part : field.name.split(QLatin1Char('.'))) now = now.toObject()[part];
        field.text = field.base_text = field.preset_text = settingText(now);
        if (sections_.empty() || sections_.back().name != field.section)
            sections_.push_back({field.section, {}});
        sections_.back().fields.push_back(std::move(field));
    }
    open_sections_.removeIf([this](const QString& name) {
        return std::none_of(sections_.begin(), sections_.end(),
                            [&](const Section& section) { return section.name == name; });
    });
    // The sections that most users change come first.
    const auto rank = [](const Section& section) {
        static const QStringList first{QStringLiteral("run"), QStringLiteral("algo"),
                                       QStringLiteral("network"), QStringLiteral("optimiser")};
        const qsizetype place = first.indexOf(section.name);
        return place < 0 ? first.size() : place;
    };
    std::stable_sort(sections_.begin(), sections_.end(),
                     [&](const Section& a, const Section& b) { return rank(a) < rank(b); });
    for (auto it = kept.cbegin(); it != kept.cend(); ++it) {
        QString text = it.value();
        if (FormField* field = find(it.key()); field != nullptr && checked(*field, text).isEmpty())
            field->text = text;
    }
    endResetModel();
    for (auto it = kept.cbegin(); it != kept.cend(); ++it)
        if (find(it.key()) == nullptr && isArgument(it.key())) findOrAdd(it.key())->text = it.value();
    Q_EMIT edited();
}

FormField* ConfigForm::find(const QString& key) {
    for (Section& section : sections_)
        for (FormField& field : section.fields)
            if (field.key == key) return &field;
    return nullptr;
}

const FormField* ConfigForm::field(const QString& key) const {
    return const_cast<ConfigForm*>(this)->find(key);
}

bool ConfigForm::isArgument(const QString& key) const {
    static const QRegularExpression name(QStringLiteral("^(\\w+)\\.([A-Za-z_]\\w*)$"));
    const auto match = name.match(key);
    return match.hasMatch() && match.captured(2) != QLatin1String("id") &&
           open_sections_.contains(match.captured(1));
}

FormField* ConfigForm::findOrAdd(const QString& key) {
    if (FormField* known = find(key)) return known;
    for (std::size_t s = 0; s < sections_.size() && isArgument(key); ++s) {
        Section& section = sections_[s];
        if (section.name != key.section(QLatin1Char('.'), 0, 0)) continue;
        const int row = static_cast<int>(section.fields.size());
        beginInsertRows(index(static_cast<int>(s), 0), row, row);
        FormField field;
        field.section = section.name;
        field.name = key.section(QLatin1Char('.'), 1);
        field.key = key;
        field.type = QStringLiteral("text");
        field.help = tr("Argument of the environment's constructor.");
        field.level = FormLevel::goal;
        section.fields.push_back(std::move(field));
        endInsertRows();
        return &section.fields.back();
    }
    return nullptr;
}

const FormField* ConfigForm::fieldAt(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == 0) return nullptr;
    return &sections_[index.internalId() - 1].fields[static_cast<std::size_t>(index.row())];
}

// Updates the view without emitting edited().
void ConfigForm::notifyChanged(const FormField& field) {
    for (std::size_t s = 0; s < sections_.size(); ++s) {
        const auto& fields = sections_[s].fields;
        for (std::size_t row = 0; row < fields.size(); ++row) {
            if (&fields[row] != &field) continue;
            Q_EMIT dataChanged(createIndex(static_cast<int>(row), 0, s + 1),
                               createIndex(static_cast<int>(row), kColumns - 1, s + 1));
        }
    }
}

void ConfigForm::notifyEdited(const FormField& field) {
    notifyChanged(field);
    Q_EMIT edited();
}

QString ConfigForm::problemWith(const QString& key, QString text, QString* normal) const {
    const FormField* found = field(key);
    if (found == nullptr && isArgument(key)) return {};
    if (found == nullptr) return tr("There is no setting “%1” for this environment and algorithm").arg(key);
    const QString problem = checked(*found, text);
    if (normal != nullptr) *normal = text;
    return problem.isEmpty() ? QString() : tr("%1: %2").arg(readableName(found->name), problem);
}

bool ConfigForm::set(const QString& key, const QString& text) {
    if (const QString problem = problemWith(key, text); !problem.isEmpty()) {
        Q_EMIT rejected(problem);
        return false;
    }
    FormField* field = findOrAdd(key);
    const QString value = normalized(*field, text);
    if (value == field->text) return true;
    field->text = value;
    notifyEdited(*field);
    return true;
}

bool ConfigForm::setBase(const QString& key, const QString& text) {
    if (const QString problem = problemWith(key, text); !problem.isEmpty()) {
        Q_EMIT rejected(problem);
        return false;
    }
    FormField* field = findOrAdd(key);
    const QString value = normalized(*field, text);
    if (value == field->base_text) return true;
    if (!field->changed()) field->text = value;
    field->base_text = value;
    notifyEdited(*field);
    return true;
}

void ConfigForm::reset(const QString& key) {
    FormField* field = find(key);
    if (field == nullptr || !field->changed()) return;
    field->text = field->base_text;
    notifyEdited(*field);
}

void ConfigForm::resetAll() {
    QMap<QString, std::optional<QString>> all;
    for (const auto& [key, text] : changes().asKeyValueRange()) all[key] = std::nullopt;
    apply(all);
}

QMap<QString, QString> ConfigForm::changes() const {
    QMap<QString, QString> all;
    for (const Section& section : sections_)
        for (const FormField& field : section.fields)
            if (field.changed()) all[field.key] = field.text;
    return all;
}

void ConfigForm::apply(const QMap<QString, std::optional<QString>>& texts) {
    bool any = false;
    for (const auto& [key, text] : texts.asKeyValueRange()) {
        FormField* field = find(key);
        if (field == nullptr) continue;
        const QString now = text.value_or(field->base_text);
        if (now == field->text) continue;
        field->text = now;
        any = true;
        notifyChanged(*field);
    }
    if (any) Q_EMIT edited();
}

QString ConfigForm::nameOf(const QString& key) const {
    return readableName(key.section(QLatin1Char('.'), 1));
}

int ConfigForm::changedCount() const {
    int count = 0;
    for (const Section& section : sections_)
        for (const FormField& field : section.fields) count += field.changed();
    return count;
}

QStringList ConfigForm::arguments() const {
    QStringList arguments{env_};
    if (!preset_.isEmpty()) arguments << QStringLiteral("--preset") << preset_;
    if (!algo_.isEmpty()) arguments << QStringLiteral("--algo") << algo_;
    for (const Section& section : sections_)
        for (const FormField& field : section.fields)
            // Passed as one word, so that a value may begin with a dash.
            if (field.text != field.preset_text)
                arguments << QStringLiteral("--%1=%2").arg(field.key, field.text);
    return arguments;
}

// Internal id: 0 for sections, section + 1 for fields.
QModelIndex ConfigForm::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : 0);
}

QModelIndex ConfigForm::parent(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == 0) return {};
    return createIndex(static_cast<int>(index.internalId()) - 1, 0, quintptr{0});
}

int ConfigForm::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return static_cast<int>(sections_.size());
    if (parent.internalId() != 0 || parent.column() != 0) return 0;
    return static_cast<int>(sections_[static_cast<std::size_t>(parent.row())].fields.size());
}

int ConfigForm::columnCount(const QModelIndex&) const { return kColumns; }

QVariant ConfigForm::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const FormField* field = fieldAt(index);
    if (field == nullptr) {
        const QString& name = sections_[static_cast<std::size_t>(index.row())].name;
        if (role == Qt::DisplayRole && index.column() == kName) return sectionTitle(name);
        if (role == kKeyRole) return name;
        if (role == Qt::FontRole) {
            QFont font;
            font.setBold(true);
            return font;
        }
        return {};
    }
    switch (role) {
        case Qt::DisplayRole:
        case Qt::EditRole:
            switch (index.column()) {
                case kName:
                    return (field->changed() ? QStringLiteral("● ") : QString()) + readableName(field->name);
                case kValue:
                    if (role == Qt::DisplayRole) return field->shown(field->text);
                    return isNumber(field->type) ? localNumber(field->text) : field->text;
                default: return {};
            }
        case Qt::ToolTipRole:
            return tr("%1\n--%2; allowed: %3; default: %4; preset: %5")
                .arg(field->help, field->key, field->allowed.isEmpty() ? tr("any value") : field->allowed,
                     field->shown(field->default_text), field->shown(field->preset_text));
        case Qt::AccessibleTextRole:
            return index.column() == kValue
                       ? tr("%1: %2").arg(readableName(field->name), field->shown(field->text))
                       : data(index, Qt::DisplayRole);
        case Qt::FontRole: {
            QFont font;
            font.setBold(field->changed() && index.column() <= kValue);
            return font;
        }
        case kKeyRole: return field->key;
        default: return {};
    }
}

QVariant ConfigForm::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
        case kName: return tr("Setting");
        case kValue: return tr("Value");
        default: return {};
    }
}

bool ConfigForm::setData(const QModelIndex& index, const QVariant& value, int role) {
    const FormField* field = fieldAt(index);
    return field != nullptr && role == Qt::EditRole && index.column() == kValue &&
           set(field->key, value.toString());
}

Qt::ItemFlags ConfigForm::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (fieldAt(index) != nullptr && index.column() == kValue) flags |= Qt::ItemIsEditable;
    return flags;
}

ConfigFormFilter::ConfigFormFilter(QObject* parent) : QSortFilterProxyModel(parent) {
    setRecursiveFilteringEnabled(true);
}

void ConfigFormFilter::setLevel(FormLevel level) {
    level_ = level;
    invalidateFilter();
}

void ConfigFormFilter::setWords(const QString& words) {
    words_ = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

void ConfigFormFilter::setChangedOnly(bool on) {
    changed_only_ = on;
    invalidateFilter();
}

bool ConfigFormFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    if (!parent.isValid()) return false;  // a section is shown only if it has visible fields
    const auto* form = static_cast<const ConfigForm*>(sourceModel());
    const FormField* field = form->fieldAt(form->index(row, 0, parent));
    if (field == nullptr) return false;
    if (changed_only_ && !field->changed()) return false;
    // A search includes the fields of all levels.
    if (words_.isEmpty() && field->level > level_ && !field->changed()) return false;
    const QString text =
        field->key + QLatin1Char(' ') + readableName(field->name) + QLatin1Char(' ') + field->help;
    for (const QString& word : words_)
        if (!text.contains(word, Qt::CaseInsensitive)) return false;
    return true;
}

}  // namespace seedbed::ui
