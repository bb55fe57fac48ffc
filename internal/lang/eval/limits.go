package eval

import (
	"cmp"
	"fmt"

	"girih/cute"
	"girih/internal/lang/syntax"
)

// What operations take at most. Their time grows with the square of the leaves, and with a higher power where those are
// expressions in run-time integers: on one processor none of these takes a second. Operations that look at single
// elements count them instead, up to [cute.EnumLimit].
const (
	// MaxLeaves is the number of leaves of an operand: of its shape, and of the layouts that it is composed of.
	MaxLeaves = 1 << 10
	// MaxDynamicLeaves is the same where an operand has run-time integers.
	MaxDynamicLeaves = 20
)

// Fits returns an error of code [cute.CodeLimit] for a value that has more leaves than operations take, where op is
// the operation that it is for.
func Fits(op string, v Value) error { return fits(op, v) }

// fits returns an error of code [cute.CodeLimit] for operands that op does not take for their number of leaves.
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

// leaves returns the number of leaves of a value that is made of modes, and 0 for others.
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

// MaxStages is the number of functions that a composed layout consists of, besides its inner layout.
const MaxStages = 1 << 10

// stages returns that number.
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

// stageable refuses outer o offset o inner where it has too many stages.
func stageable(outer, inner Value) error {
	if n := 1 + stages(outer) + stages(inner); n > MaxStages {
		return &cute.Error{
			Code: cute.CodeLimit, Op: "make_composed_layout",
			Msg: fmt.Sprintf("expected at most %d functions in a composed layout, found %d", MaxStages, n),
		}
	}
	return nil
}

// maxListed is the number of elements of lists where the time is limited: a list of more takes longer to write than to
// compute.
const maxListed = 1 << 20

// listable refuses a list of n elements that is too long for an evaluation whose time is limited.
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

// stop is what a function of layouts asks whether it may go on: nil where nothing is limited.
func (e *Env) stop() cute.Until {
	if e.limit == nil {
		return nil
	}
	return func() error {
		// The value that asks may live on when the limit is another one, or none.
		if e.limit == nil {
			return nil
		}
		if err := e.limit(); err != nil {
			return &cute.Error{Code: cute.CodeLimit, Msg: err.Error()}
		}
		return nil
	}
}

// stoppable returns v as a value whose operations end when the time of the evaluation does.
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

// inTime returns the error of the limit on the time, placed at x.
func (e *Env) inTime(x syntax.Expr) error {
	if e.limit == nil {
		return nil
	}
	if err := cmp.Or(e.over, e.limit()); err != nil {
		return e.fail(x, &cute.Error{Code: cute.CodeLimit, Msg: err.Error()})
	}
	return nil
}
