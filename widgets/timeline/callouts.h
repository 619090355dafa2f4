#pragma once
// Adding, editing, moving and deleting callouts, all undoable. The editor stands in the timeline beside the
// place it writes about; it is not modal.

#include "widgets/timeline/timeline_view.h"

#include <QFrame>
#include <QPointer>

class QComboBox;
class QLineEdit;
class QPlainTextEdit;

namespace lacuna::ui {

class CalloutEditor : public QFrame {
    Q_OBJECT
public:
    // deletable: an existing callout, which Delete removes.
    CalloutEditor(const Callout& callout, bool deletable, const ThemePalette& palette, QWidget* parent);
    Callout callout() const; // with the texts as typed and the colour that was chosen

Q_SIGNALS:
    void accepted();
    void deleteRequested();
    void cancelled();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    Callout m_callout;
    QLineEdit* m_title;
    QPlainTextEdit* m_text;
    QComboBox* m_colour;
};

class Callouts : public QObject {
    Q_OBJECT
public:
    Callouts(TimelineView& view, AnalysisSession& session);

    // A callout at the selection (event, gap or range); none when nothing is selected.
    std::optional<Callout> calloutForSelection() const;
    bool canAdd() const { return calloutForSelection().has_value(); }
    void addAtSelection(); // opens the editor
    void addVerdict();     // the gap's sentence, without asking
    void addAt(const std::string& laneKey, TimeNs time);
    // The next drag over the lanes draws the range of a callout.
    void setTool(bool on);
    bool canAddVerdict() const;
    void editSelected();
    void removeSelected();
    bool hasSelected() const;
    CalloutEditor* editor() const { return m_editor; }

private:
    void edit(std::uint32_t id);
    void move(std::uint32_t id, double dx, double dy);
    void remove(std::uint32_t id);
    void openEditor(const Callout& callout, bool existing);
    void placeEditor(const Callout& callout);

    TimelineView& m_view;
    AnalysisSession& m_session;
    QPointer<CalloutEditor> m_editor;
};

} // namespace lacuna::ui
