// Package view draws values: layouts as grids of their offsets, thread-value maps, the operands of MMA instructions,
// copies, swizzles. Each function takes a value and returns a [draw.Scene], which draw/svg, draw/png, draw/tikz and
// draw/term write.
//
// Mode 0 of a layout goes down and mode 1 goes across, as in CuTe's print_layout. A thread or a warp is a hue, a
// register of a thread its lightness, and a legend says so. Borders of modes, vectors, atoms and warps differ in
// thickness. What is too large to label cell by cell is merged: into vectors, then blocks; the caption then says what a
// cell is. What is too large to draw at all is drawn as its outline.
//
// The pictures are laid out by a few parts: a grid of cells with its axes, parts side by side or one above the other,
// a legend, and the frame with the title and the captions.
package view
