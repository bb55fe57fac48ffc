// Package view draws values: layouts as grids of their offsets, thread-value maps, the operands of MMA instructions,
// copies, swizzles. Each function takes a value and returns a [draw.Scene], which svg, png, tikz and term write.
//
// Mode 0 of a layout goes down and mode 1 goes across, as in CuTe's print_layout. A thread or a warp is a hue and a
// register of a thread is a lightness; the legend says which it is. The borders of modes, vectors, atoms and warps
// differ in thickness. If there are too many cells to label each, they are merged into vectors and then into blocks,
// and the caption says what a cell is. If there are too many to draw, only the outline is drawn.
//
// A few kinds of parts make up all pictures: a grid of cells with its axes, parts side by side or above each other, a
// legend, and the frame with the title and the captions.
package view
