// Package budget bounds what one request takes: its time, and the bytes of what it keeps. A [Budget] belongs to one
// request, a [Pool] is the memory that requests share, and [Turns] decides which of them are at work, so that no
// client keeps others waiting.
//
// Work asks its budget at every step, or once in a few thousand steps, and ends when the budget says so. Nothing ends
// work from outside.
package budget
