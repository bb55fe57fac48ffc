package eval

import (
	"cmp"
	"fmt"

	"girih/cute"
	"girih/internal/lang/syntax"
)

// Limits on operands. The time of an operation grows with the square of the number of leaves, and with a higher power
// if leaves are expressions in run-time integers. Within these limits no operation takes a second on one processor.
// Operations that look at single elements instead limit the number of elements to [cute.EnumLimit].
const (
	// MaxLeaves limits the leaves of an operand: the leaves of its shape, or of all layouts in a composed operand, or the
	// columns of a matrix.
	MaxLeaves = 1 << 10
	// MaxDynamicLeaves is the same limit for an operand with run-time integers.
	MaxDynamicLeaves = 20
)

// Fits returns an error of code [cute.CodeLimit] if a value has more leaves than the operation op takes.
func Fits(op string, v Value) error { return fits(op, v) }

// fits returns an error of code [cute.CodeLimit] if operands have more leaves than op takes.
func fits(op string, operands ...Value) error {
	most, what := MaxLeaves, ""
	if dynamic(operands...) {
		most, what = MaxDynamicLeaves, " where one has run-time integers"
	}
	for _, v := range operands {
		if n := leaves(v); n > most {
			return &cute.Error{
				Code: cute.CodeLimit, Op: op,
				Msg:  fmt.Sprintf("expected an operand of at most %d leaves%s, found %d", most, what, n),
				Hint: "coalesce, take and get accept it",
			}
		}
	}
	return nil
}

// leaves returns the number of leaves of a value with modes, and 0 for other values.
func leaves(v Value) int {
	switch v := v.(type) {
	case Tuple:
		return v.Tuple.LeafCount()
	case Layout:
		return v.Shape().LeafCount()
	case Xor:
		return v.Shape().LeafCount()
	case Composed:
		n := v.Shape().LeafCount()
		for outer := range v.Stages() {
			if l, ok := outer.(cute.Layout); ok {
				n += l.Shape().LeafCount()
			}
		}
		return n
	case Matrix:
		return v.Cols()
	case Tile:
		return v.Tile.LeafCount()
	case Tensor:
		return leaves(v.layoutValue())
	case DynamicTuple:
		return v.Tuple.LeafCount()
	case DynamicLayout:
		return v.Shape().LeafCount()
	case DynamicTile:
		return v.Tiler.LeafCount()
	case DynamicComposed:
		n := v.Inner.Shape().LeafCount()
		for _, s := range v.Stages {
			n += leaves(s.Outer)
		}
		return n
	}
	return 0
}

// MaxStages limits the functions of a composed layout outside its inner layout.
const MaxStages = 1 << 10

// stages returns the number of functions outside the inner layout.
func stages(v Value) int {
	n := 0
	switch v := v.(type) {
	case Composed:
		for range v.Stages() {
			n++
		}
	case DynamicComposed:
		n = len(v.Stages)
	}
	return n
}

// stageable refuses outer o offset o inner if it would have too many stages.
func stageable(outer, inner Value) error {
	if n := 1 + stages(outer) + stages(inner); n > MaxStages {
		return &cute.Error{
			Code: cute.CodeLimit, Op: "make_composed_layout",
			Msg: fmt.Sprintf("expected at most %d functions in a composed layout, found %d", MaxStages, n),
		}
	}
	return nil
}

// maxListed limits the length of lists if time is limited: writing a longer list takes more time than computing it.
const maxListed = 1 << 20

// listable refuses a list of n elements that is too long for an evaluation with limited time.
func (c *call) listable(n int64) error {
	if c.env.limit == nil || n <= maxListed {
		return nil
	}
	return &cute.Error{
		Code: cute.CodeLimit, Op: c.fn.Name,
		Msg:  fmt.Sprintf("expected at most %d elements to list where the time is limited, found %d", maxListed, n),
		Hint: "slice the layout, or evaluate it at some coordinates",
	}
}

// stop returns the function that layouts call to ask whether they may continue. The function is nil if there is no
// limit.
func (e *Env) stop() cute.Until {
	if e.limit == nil {
		return nil
	}
	return func() error {
		// The value that calls this function may outlive the limit.
		if e.limit == nil {
			return nil
		}
		if err := e.limit(); err != nil {
			return &cute.Error{Code: cute.CodeLimit, Msg: err.Error()}
		}
		return nil
	}
}

// stoppable returns v, changed so that its operations stop when the time of the evaluation is over.
func (e *Env) stoppable(v Value) Value {
	if e.limit == nil {
		return v
	}
	switch v := v.(type) {
	case Composed:
		return Composed{v.Until(e.stop())}
	case Xor:
		return Xor{v.Until(e.stop())}
	}
	return v
}

// inTime returns the error of the time limit, placed at x.
func (e *Env) inTime(x syntax.Expr) error {
	if e.limit == nil {
		return nil
	}
	if err := cmp.Or(e.over, e.limit()); err != nil {
		return e.fail(x, &cute.Error{Code: cute.CodeLimit, Msg: err.Error()})
	}
	return nil
}
