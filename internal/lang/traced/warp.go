package traced

import (
	"math"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/interp"
	"girih/kernel"
	"girih/symbolic"
)

// This file has the instructions of whole warps: shuffles and votes. Package kernel refuses those that a part of a warp
// executes, and leaves to the simulator what it cannot know.

// A shuffleRow exchanges elements among the lanes of a warp.
type shuffleRow struct {
	lanes func(k *kernel.K, v kernel.Value, n int64) kernel.Value // by a number of lanes
	isXor bool
}

var shuffles = map[string]shuffleRow{
	"__shfl_xor_sync": {(*kernel.K).ShflXor, true}, "__shfl_down_sync": {(*kernel.K).ShflDown, false},
	"__shfl_up_sync": {(*kernel.K).ShflUp, false}, "shuffle_sync_bfly": {(*kernel.K).ShflXor, true},
	"shuffle_sync_down": {(*kernel.K).ShflDown, false}, "shuffle_sync_up": {(*kernel.K).ShflUp, false},
}

// votes returns the shuffles and the votes.
func votes() map[string]function {
	out := map[string]function{
		"__shfl_sync": (*Tracer).shuffleFrom, "__ballot_sync": (*Tracer).ballot,
		"__any_sync": vote((*kernel.K).VoteAny), "__all_sync": vote((*kernel.K).VoteAll),
	}
	for name, row := range shuffles {
		out[name] = shuffle(row)
	}
	return out
}

// warpArguments returns the arguments after the mask. The mask has to name the whole warp.
func (t *Tracer) warpArguments(c *interp.TracedCall) ([]interp.Value, error) {
	args := c.Args
	if !t.python && len(args) > 1 {
		mask, ok := interp.Integer(args[0])
		if !ok || uint32(mask) != math.MaxUint32 {
			return nil, refuse(cute.CodeNotRepresentable, "give it the mask of a whole warp, 0xffffffff",
				"%s with this mask is not followed", c.Name)
		}
		args = args[1:]
	}
	if n := t.out.Block[0] * t.out.Block[1] * t.out.Block[2]; n%kernel.WarpSize != 0 || len(c.Keys) > 0 {
		return nil, refuse(cute.CodeNotRepresentable, "launch blocks of whole warps",
			"%s in a block of %d threads is not followed", c.Name, n)
	}
	return args, nil
}

// shuffleArguments returns the value and the lane of a shuffle, and its width.
func (t *Tracer) shuffleArguments(c *interp.TracedCall) (args []interp.Value, width int64, err error) {
	if args, err = t.warpArguments(c); err != nil {
		return nil, 0, err
	}
	width = kernel.WarpSize
	if len(args) == 3 {
		width, _ = interp.Integer(args[2])
		args = args[:2]
	}
	if len(args) != 2 {
		return nil, 0, unknown(c)
	}
	return args, width, nil
}

// shuffle implements __shfl_xor_sync(mask, v, n, width) and similar functions.
func shuffle(row shuffleRow) function {
	return func(t *Tracer, c *interp.TracedCall) (interp.Value, error) {
		args, width, err := t.shuffleArguments(c)
		if err != nil {
			return nil, err
		}
		n, known := interp.Integer(args[1])
		if !known || n < 0 || n >= width || width != kernel.WarpSize && !(row.isXor && isWidth(width)) {
			return nil, refuse(cute.CodeNotRepresentable, "shuffle by a number from 0 to 31 that is the same for all threads",
				"%s by this number of lanes, or with this width, is not followed", c.Name)
		}
		v, ok := t.laneValue(args[0])
		if !ok {
			return nil, unknown(c)
		}
		return t.value(row.lanes(t.k, v, n)), nil
	}
}

// isWidth reports whether a number is a width of groups of lanes.
func isWidth(n int64) bool { return n > 0 && n <= kernel.WarpSize && n&(n-1) == 0 }

// laneValue returns a value that lanes exchange: an element, or an integer.
func (t *Tracer) laneValue(v interp.Value) (kernel.Value, bool) {
	if x, ok := elementOf(v); ok {
		return x, x.Type().Bits() >= 32 || x.Type() == dtype.F16 || x.Type() == dtype.BF16
	}
	typ := elementTypes[interp.TypeOfNumber(v)]
	if typ == 0 || typ.Bits() < 32 {
		return kernel.Value{}, false
	}
	return t.number(v, typ)
}

// shuffleFrom implements __shfl_sync(mask, v, lane, width).
func (t *Tracer) shuffleFrom(c *interp.TracedCall) (interp.Value, error) {
	args, width, err := t.shuffleArguments(c)
	if err != nil {
		return nil, err
	}
	if !isWidth(width) {
		return nil, unknown(c)
	}
	v, ok := t.laneValue(args[0])
	lane, isIndex := t.integer(args[1])
	if !ok || !isIndex || !lane.isNatural() {
		return nil, unknown(c)
	}
	from := lane.Mod(width)
	if width < kernel.WarpSize {
		from = t.k.ThreadIdx().Mod(kernel.WarpSize).Div(width).Mul(kernel.Int(width)).Add(from)
	}
	return t.value(t.k.Shfl(v, from)), nil
}

// ballot implements __ballot_sync(mask, condition).
func (t *Tracer) ballot(c *interp.TracedCall) (interp.Value, error) {
	is, err := t.voteOf(c)
	if err != nil {
		return nil, err
	}
	return t.value(t.k.Ballot(is)), nil
}

// vote implements __any_sync and __all_sync, which return an int.
func vote(f func(k *kernel.K, c kernel.Cond) kernel.Cond) function {
	return func(t *Tracer, c *interp.TracedCall) (interp.Value, error) {
		is, err := t.voteOf(c)
		if err != nil {
			return nil, err
		}
		one := t.k.Select(f(t.k, is), t.k.Number(dtype.S32, 1), t.k.Number(dtype.S32, 0))
		return index{one.Index(symbolic.Facts{Max: 1}), interp.CIntType}.value(nil), nil
	}
}

// voteOf returns the condition of a vote.
func (t *Tracer) voteOf(c *interp.TracedCall) (kernel.Cond, error) {
	args, err := t.warpArguments(c)
	if err != nil {
		return kernel.Cond{}, err
	}
	if len(args) == 1 && !t.python {
		if is, ok := t.asCond(args[0]); ok {
			return is.yes(), nil
		}
	}
	return kernel.Cond{}, unknown(c)
}
