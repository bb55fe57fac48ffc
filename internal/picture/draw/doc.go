// Package draw is the display list of girih's pictures: rectangles, lines, paths and text in painting order, with
// interned styles, keyed groups and color themes. It does no I/O and does not know layouts: package view fills a
// [Scene], and svg, png, tikz and term each write it in one format.
//
// # Units
//
// Lengths are in points: x grows to the right, y grows down, and the origin is the top left corner. One point is one
// pixel in PNG at scale 1, one CSS pixel in SVG and 0.75 pt in TikZ. Text is monospaced in every format: a character
// is [Advance] times the font size wide, so view can measure text without a font.
//
// # Determinism
//
// The same calls produce the same shapes and style numbers, and every encoder writes the same bytes for the same
// scene.
package draw
