#pragma once
// The view inside a picture, so that the picture opens again: a workspace text (core/document/workspace.h) in
// the PNG text chunk "lacuna-workspace", in <metadata> of an SVG, or as the attachment view.lacuna of a PDF.
// It names the trace by file name, size and hash; it holds no path and none of the trace's data.

#include "core/document/workspace.h"
#include "widgets/figure/figure_painter.h"

#include <QByteArray>

namespace lacuna::ui {

Workspace workspaceOf(const FigureInput& input);
// Range, folds, gap and layout of a figure as the workspace says; what it does not say stays. The gap is the
// one with exactly its times. Annotations are the caller's to keep.
void applyWorkspace(const Workspace& workspace, FigureInput& input);

// What a picture of the three formats holds, told by its content. Errors: Io, NotRecognised (another kind of
// file), Unsupported (a picture without a view), TooLarge.
Result<std::string> workspaceInPicture(const QString& path);
bool isPicture(const QByteArray& firstBytes);

// Element of an SVG's <metadata>.
QByteArray svgMetadataOf(const std::string& workspace);
inline constexpr const char* kPngKeyOfWorkspace = "lacuna-workspace";
inline constexpr const char* kPdfNameOfWorkspace = "view.lacuna";

} // namespace lacuna::ui
