// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of a new run as a tree for views: sections with fields, built from the output of `seedbed
// config ENV --fields --json`. The user's changes become command-line arguments.
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
        special;              // values with a special meaning: {"-1e+30", "never"}, {"0", "no limit"}
    double min = 0, max = 0;  // infinite if unbounded
    FormLevel level = FormLevel::everything;
    QString default_text;  // default of the program
    QString preset_text;   // value in the preset
    QString base_text;     // value before the user's changes: the preset's, or that of the copied run
    QString text;          // current value

    bool changed() const { return text != base_text; }
    // A value as displayed: "never", "0: no limit", "0.99", "on".
    QString shown(const QString& value) const;
    // All special values as displayed.
    QStringList specialTexts() const;
};

// Converts a value to the form that the command line accepts: 0.001, true, 64,64. "" for null.
QString settingText(const QJsonValue& value);

// Thread: GUI. Errors are reported by the signal rejected(); the field keeps its value.
class ConfigForm : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { kName, kValue, kColumns };
    enum Role { kFieldRole = Qt::UserRole, kKeyRole };

    using QAbstractItemModel::QAbstractItemModel;

    // `reply`: output of the command. The user's changes are kept if their keys still exist.
    void load(const QString& env, const QString& preset, const QString& algo, const QJsonObject& reply);
    const QString& env() const { return env_; }
    const QString& preset() const { return preset_; }
    // Sets a value as given on the command line. Numbers may have a decimal comma; special values may be
    // entered by meaning ("never"); an empty text selects the default if it is a special value. For external
    // environments, an unknown key adds a field; otherwise unknown keys and invalid values emit rejected()
    // and return false.
    bool set(const QString& key, const QString& text);
    // Like set(), but sets the value that reset() restores. The user's changes are kept.
    bool setBase(const QString& key, const QString& text);
    const FormField* field(const QString& key) const;
    const FormField* fieldAt(const QModelIndex& index) const;
    // The error message for this value, or "" if it is valid. normal: the text that the command line accepts.
    QString problemWith(const QString& key, QString text, QString* normal = nullptr) const;
    void reset(const QString& key);
    void resetAll();
    int changedCount() const;
    // The user's changes by key. apply() sets them; nullopt restores the base value. Unknown keys are
    // ignored.
    QMap<QString, QString> changes() const;
    void apply(const QMap<QString, std::optional<QString>>& texts);
    // Display name of a setting: "Learning rate".
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
    bool isArgument(const QString& key) const;
    FormField* findOrAdd(const QString& key);
    void notifyChanged(const FormField& field);
    void notifyEdited(const FormField& field);

    QString env_, preset_, algo_;
    std::vector<Section> sections_;
    QStringList open_sections_;  // may contain settings without a description
};

// Shows the fields up to a level (and changed fields) whose name, key or help contains all search words.
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
