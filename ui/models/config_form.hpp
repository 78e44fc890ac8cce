// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of a run that is yet to be started, as a tree for a view: sections with fields, made from the
// description that `seedbed config ENV --fields --json` prints. What the user changes becomes arguments of
// the command line.
#pragma once

#include <optional>
#include <vector>

#include <QAbstractItemModel>
#include <QJsonObject>
#include <QMap>
#include <QSortFilterProxyModel>
#include <QString>
#include <QStringList>

namespace seedbed::ui {

enum class FormLevel { goal, recipe, everything };

struct FormField {
    QString section, name, key;  // key is "section.name"
    QString type;                // boolean, integer, real, text, choice, integers, reals
    QString unit, help, allowed;
    QStringList choices;
    std::vector<std::pair<QString, QString>>
        special;              // values with a meaning of their own: {"-1e+30", "never"}, {"0", "no limit"}
    double min = 0, max = 0;  // infinite when there is no bound
    FormLevel level = FormLevel::everything;
    QString default_text;  // of the program
    QString preset_text;   // what the preset says
    QString
        base_text;  // the value before the user changes it: the preset's, or that of the run it is to be like
    QString text;   // now

    bool changed() const { return text != base_text; }
    // A value for people: "never", "0: no limit", "0.99".
    QString shown(const QString& value) const;
    // All values with a meaning of their own, for people.
    QStringList shownSpecial() const;
};

// A field's value as the command line takes it: 0.001, true, 64,64. "" for none.
QString settingText(const QJsonValue& value);

// Thread: the window's. Errors are sentences by rejected(); the field keeps its value then.
class ConfigForm : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { kName, kValue, kUnit, kDefault, kHelp, kColumns };
    enum Role { kFieldRole = Qt::UserRole, kTypeRole, kChoicesRole, kSpecialRole, kKeyRole };

    using QAbstractItemModel::QAbstractItemModel;

    // `reply` is what the command printed. Changes the user made before stay where the key still exists.
    void load(const QString& env, const QString& preset, const QString& algo, const QJsonObject& reply);
    const QString& env() const { return env_; }
    const QString& preset() const { return preset_; }
    // false, and rejected(): no such key or not allowed. Texts as on the command line; numbers also with a
    // decimal comma, or by their meaning ("never"); an empty text is a default that has one.
    bool set(const QString& key, const QString& text);
    // As set(), but the value is no change of the user's: the one that resets come back to. What the user
    // changed before stays.
    bool setBase(const QString& key, const QString& text);
    const FormField* field(const QString& key) const;
    const FormField* fieldAt(const QModelIndex& index) const;
    // Why the setting cannot have this value, as rejected() would say it; "" when it can.
    QString problemWith(const QString& key, QString text) const;
    void reset(const QString& key);
    void resetAll();
    int changedCount() const;
    // What the user changed, by key, and the way back: nullopt is the value it began with. Keys that are not
    // there are passed over.
    QMap<QString, QString> changes() const;
    void apply(const QMap<QString, std::optional<QString>>& texts);
    // A setting as people read it: "Learning rate".
    QString nameOf(const QString& key) const;
    // ENV [--preset P] [--algo A] [--key text ...]
    QStringList arguments() const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

Q_SIGNALS:
    void rejected(const QString& text);
    void edited();

private:
    struct Section {
        QString name;
        std::vector<FormField> fields;
    };

    FormField* find(const QString& key);
    void show(const FormField& field);
    void announce(const FormField& field);

    QString env_, preset_, algo_;
    std::vector<Section> sections_;
};

// Shows the fields of a level (changed ones always) whose name, key or sentence has all the words.
class ConfigFormFilter : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit ConfigFormFilter(QObject* parent = nullptr);
    void setLevel(FormLevel level);
    void setWords(const QString& words);
    void setChangedOnly(bool on);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    FormLevel level_ = FormLevel::goal;
    QStringList words_;
    bool changed_only_ = false;
};

}  // namespace seedbed::ui
