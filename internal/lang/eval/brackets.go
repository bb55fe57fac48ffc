package eval

import (
	"errors"
	"fmt"
	"slices"
)

// This file decides whether rows of ones in square brackets, such as [[1,1],[1,1]], are a matrix over F2 or a tiler.
// Rows with a 0 are a matrix, because no tiler has a 0. Without a 0, the operation that takes the value decides: in the
// place of a tiler it is a tiler, and a matrix wherever an operation takes a matrix. A note says which, unless the
// operation takes matrices only.

// Brackets is the value of rows of ones in square brackets: a tiler that may be meant as a matrix. No operation sees
// one: match reads it first.
type Brackets struct {
	Tile
	matrix Matrix
	text   string // the text in the source
}

// textOf returns the text of brackets, or what they are if the text is long.
func textOf(text string) string {
	const most = 64
	if len(text) > most {
		return "a list of rows of 1"
	}
	return text
}

// asMatrix reads brackets as a matrix, and notes that.
func (e *Env) asMatrix(b Brackets) Value {
	e.noteOnce(fmt.Sprintf("%s is read as a matrix over F2; the tiler is %v", b.text, b.Tile))
	return b.matrix
}

// asTile reads brackets as a tiler, and notes that.
func (e *Env) asTile(b Brackets) Value {
	e.noteOnce(fmt.Sprintf("%s is read as the tiler %v; the matrix over F2 is %v", b.text, b.Tile, b.matrix))
	return b.Tile
}

func (e *Env) noteOnce(note string) {
	if !slices.Contains(e.notes, note) {
		e.notes = append(e.notes, note)
	}
}

// noteBrackets notes that brackets which let binds are read later.
func (e *Env) noteBrackets(b Brackets) {
	e.noteOnce(fmt.Sprintf("%s is a matrix over F2 or the tiler %v, as the operation that uses it takes", b.text, b.Tile))
}

// hintMatrix adds the other reading to the error of an operation that took brackets as a tiler. written are the
// operands before brackets were read, and read the operands.
func hintMatrix(err error, written, read []Value) error {
	g, ok := asGirih(err)
	if err == nil || !ok {
		return err
	}
	for i, v := range written {
		b, isBrackets := v.(Brackets)
		if _, isTile := read[i].(Tile); !isBrackets || !isTile {
			continue
		}
		hinted := *g
		hinted.Hint = fmt.Sprintf("%s is read as a tiler; the matrix over F2 is %v", b.text, b.matrix)
		if placed, ok := errors.AsType[*Error](err); ok {
			return &Error{Err: &hinted, Pos: placed.Pos, End: placed.End}
		}
		return &hinted
	}
	return err
}

// readBrackets reads the operands that are brackets as the operation takes them.
func (c *call) readBrackets() { c.args = c.env.bracketsFor(c.fn, c.args) }

// read2 is bracketsFor for two operands.
func (e *Env) read2(fn *Builtin, a, b Value) (Value, Value) {
	vs := e.bracketsFor(fn, []Value{a, b})
	return vs[0], vs[1]
}

// bracketsFor returns the operands of an operation with brackets read as matrices or tilers.
func (e *Env) bracketsFor(fn *Builtin, args []Value) []Value {
	isBrackets := func(v Value) bool { _, ok := v.(Brackets); return ok }
	if !slices.ContainsFunc(args, isBrackets) {
		return args
	}
	args = slices.Clone(args)
	for i, v := range args {
		b, ok := v.(Brackets)
		switch {
		case !ok:
		case fn.overF2:
			args[i] = b.matrix // such operations do not take tilers
		case fn.takesMatrix(i, args):
			args[i] = e.asMatrix(b)
		case fn.Name == signTile:
			args[i] = b.Tile // the brackets are a part of a tiler
		default:
			args[i] = e.asTile(b)
		}
	}
	return args
}

// takesMatrix reports whether operand i, which is in brackets, is meant as a matrix: the operation takes matrices, and
// the other operands are none of layouts in tiles.
func (b *Builtin) takesMatrix(i int, args []Value) bool {
	if b.bits == nil || b.Name == signNest || b.Name == signTile {
		return false
	}
	for j, v := range args {
		switch v.(type) {
		case Brackets, Matrix, Linear, Encoding:
		case Tile:
			return false // compares tiles
		default:
			if b.params != nil && i == b.tiler && j != i {
				return false // the tiler of a layout
			}
		}
	}
	return true
}
