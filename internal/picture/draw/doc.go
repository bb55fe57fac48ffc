// Package draw is the display list of girih's pictures: rectangles, lines, paths and text in the order in which they
// are painted, with interned styles, keyed groups and the palettes. It does no I/O and knows nothing of layouts;
// package view fills a [Scene], and draw/svg, draw/png, draw/tikz and draw/term each write one in a format.
//
// # Units
//
// Lengths are in points of the scene: x grows to the right, y grows down, the origin is the top left corner. One point
// is one pixel in PNG at scale 1, one CSS pixel in SVG and 0.75 pt in TikZ. The text is monospaced everywhere: a
// character is [Advance] times the font size wide, so that view can measure text without a font and every format breaks
// nothing.
//
// # Determinism
//
// A scene is a value: the same calls give the same shapes and the same style numbers, and every encoder writes the same
// bytes for the same scene.
package draw
