#pragma once
// Making annotations besides callouts at the selection, and what is done with the one that is chosen.

#include "widgets/timeline/timeline_view.h"

#include <QObject>

namespace lacuna::ui {

class CommandRegistry;

class AnnotationControl : public QObject {
    Q_OBJECT
public:
    // Belongs to the view.
    AnnotationControl(TimelineView& view, CommandRegistry& registry);

    // At the selected event or gap, else at the range on the current row; none when nothing is selected.
    std::optional<Callout> atSelection(AnnotationKind kind) const;

Q_SIGNALS:
    void said(const QString& what);

private:
    void add(AnnotationKind kind);
    void addArrow();
    void push(const AnnotationEdit& edit, const QString& text);

    TimelineView& m_view;
    TimelineViewModel& m_model;
    std::optional<Callout> m_arrow; // waits for its head
};

} // namespace lacuna::ui
