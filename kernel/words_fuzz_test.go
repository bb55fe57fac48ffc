package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/internal/check/long"
	"girih/kernel"
	"girih/ptx/sim"
	"girih/symbolic"
)

// A soup is numbers of all kinds, from which random operations make others.
type soup struct {
	k      *kernel.K
	r      *rand.Rand
	log    []string
	values []kernel.Value
	conds  []kernel.Cond
	ints   []kernel.Index
}

func pick[T any](r *rand.Rand, xs []T) T { return xs[r.IntN(len(xs))] }

var (
	soupUnary = map[string]func(v kernel.Value) kernel.Value{
		"Neg": kernel.Value.Neg, "Abs": kernel.Value.Abs, "Rcp": kernel.Value.Rcp, "Sqrt": kernel.Value.Sqrt,
		"Rsqrt": kernel.Value.Rsqrt, "Exp2": kernel.Value.Exp2, "Log2": kernel.Value.Log2, "Exp": kernel.Value.Exp,
		"Log": kernel.Value.Log, "Sin": kernel.Value.Sin, "Cos": kernel.Value.Cos, "Tanh": kernel.Value.Tanh,
		"Floor": kernel.Value.Floor, "Ceil": kernel.Value.Ceil, "Trunc": kernel.Value.Trunc, "Round": kernel.Value.Round,
		"Not": kernel.Value.Not, "Popc": kernel.Value.Popc, "Clz": kernel.Value.Clz, "Brev": kernel.Value.Brev,
	}
	soupBinary = map[string]func(v, w kernel.Value) kernel.Value{
		"Add": kernel.Value.Add, "Sub": kernel.Value.Sub, "Mul": kernel.Value.Mul, "Div": kernel.Value.Div,
		"Max": kernel.Value.Max, "Min": kernel.Value.Min, "And": kernel.Value.And, "Or": kernel.Value.Or,
		"Xor": kernel.Value.Xor, "MulHi": kernel.Value.MulHi,
	}
	soupPairs = map[string]func(p, q kernel.Pair) kernel.Pair{
		"Add": kernel.Pair.Add, "Sub": kernel.Pair.Sub, "Mul": kernel.Pair.Mul, "Max": kernel.Pair.Max, "Min": kernel.Pair.Min,
	}
)

// name draws a name of a table.
func name[F any](r *rand.Rand, m map[string]F) string {
	return pick(r, slices.Sorted(maps.Keys(m)))
}

// step does one random operation.
func (s *soup) step() {
	r, k := s.r, s.k
	v, w, i, j := pick(r, s.values), pick(r, s.values), pick(r, s.ints), pick(r, s.ints)
	c, d := pick(r, s.conds), pick(r, s.conds)
	t := pick(r, dtype.All())
	if r.IntN(3) > 0 {
		t = w.Type()
	}
	say := func(format string, args ...any) { s.log = append(s.log, fmt.Sprintf(format, args...)) }
	switch n := r.IntN(22); n {
	case 0, 1:
		f := name(r, soupUnary)
		say("%s %v", f, v.Type())
		s.values = append(s.values, soupUnary[f](v))
	case 2, 3:
		f := name(r, soupBinary)
		say("%s %v %v", f, v.Type(), w.Type())
		s.values = append(s.values, soupBinary[f](v, w))
	case 4, 5:
		say("convert %v %v", v.Type(), t)
		s.values = append(s.values, v.Convert(t))
	case 6:
		say("bitcast %v %v", v.Type(), t)
		s.values = append(s.values, v.Bitcast(t))
	case 7:
		say("shift %v %v %v", v.Type(), i, j)
		s.values = append(s.values, v.Shl(i.Mod(9)), v.Shr(j.Mod(9)))
	case 8:
		say("bfe %v %v", v.Type(), w.Type())
		s.values = append(s.values, v.Bfe(i.Mod(9), j.Mod(9)), v.Bfi(w, i.Mod(9), j.Mod(9)), v.Prmt(w, i.Mod(99)))
	case 9:
		say("compare %v %v", v.Type(), w.Type())
		s.conds = append(s.conds, v.Less(w), v.Equal(w), v.LessEqual(w), v.NotEqual(w), v.IsNaN())
	case 10:
		say("conds %v %v", c, d)
		s.conds = append(s.conds, c.And(d), c.Or(d), c.Not())
	case 11:
		say("select %v %v", v.Type(), w.Type())
		s.values = append(s.values, k.Select(c, v, w))
	case 12:
		say("index %v", v.Type())
		s.ints = append(s.ints, v.And(v.Xor(v)).Index(symbolic.Facts{Min: -int64(r.IntN(9)), Max: int64(r.IntN(99))}))
	case 13:
		say("value %v %v", i, t)
		s.values = append(s.values, i.Add(k.ThreadIdx()).Value(t))
	case 14:
		say("ints %v %v", i, j)
		s.ints = append(s.ints, i.Min(j), i.Max(j), i.Add(j), i.Sub(j).Div(int64(1+r.IntN(9))))
		s.conds = append(s.conds, i.Less(j), i.Equal(j), i.AtLeast(j))
	case 15:
		say("divmod %v %v", i, j)
		q, rest := i.Max(kernel.Int(0)).DivMod(j.Max(kernel.Int(1)))
		s.ints = append(s.ints, q, rest)
	case 16:
		say("lanes %v", v.Type())
		s.values = append(s.values, k.ShflUp(v, int64(r.IntN(32))), k.ShflXor(v, int64(r.IntN(32))))
		s.values = append(s.values, k.Ballot(c), k.LanesBelow())
		s.conds = append(s.conds, k.VoteAny(c), k.VoteAll(d))
	case 17:
		say("match %v", v.Type())
		s.values = append(s.values, k.MatchAny(v))
		s.conds = append(s.conds, k.MatchAll(v))
	case 18:
		half := pick(r, []dtype.Type{dtype.F16, dtype.BF16, t})
		f := name(r, soupPairs)
		say("pair %s %v %v", f, v.Type(), half)
		p := soupPairs[f](k.RoundPair(v.Convert(dtype.F32), w.Convert(dtype.F32), half), v.Convert(dtype.F32).Pair(half))
		lo, hi := p.Values()
		s.values = append(s.values, lo, hi, p.Bits())
	default:
		say("number %v", t)
		s.values = append(s.values, k.Number(t, float64(r.IntN(3))))
	}
}

// TestWordsAtRandom applies random operations to numbers of random types. Either the trace refuses one with a code, or
// the simulator knows every instruction, and finds nothing but facts that do not hold.
func TestWordsAtRandom(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	n, traced := 2000, 0
	if long.Tests() {
		n = 100000
	}
	for seed := range uint64(n) {
		var log []string
		k, err := kernel.Trace("f", 64, func(k *kernel.K) {
			r := rand.New(rand.NewPCG(seed, 5))
			s := &soup{k: k, r: r, conds: []kernel.Cond{{}}}
			s.ints = []kernel.Index{k.ThreadIdx(), kernel.Int(int64(r.IntN(9))), k.Int("n", symbolic.Facts{Min: -3, Max: 99})}
			usual := [][]dtype.Type{
				{dtype.F32},
				{dtype.S32},
				{dtype.U32},
				{dtype.F16},
				{dtype.F64, dtype.S64, dtype.U64},
				{dtype.BF16, dtype.S16, dtype.U8},
				{dtype.F32, dtype.S32},
				dtype.All()[:20],
			}
			for range 3 {
				s.values = append(s.values, k.Number(pick(r, usual[seed%8]), float64(1+r.IntN(3))))
			}
			for range r.IntN(8) {
				s.step()
				log = s.log
			}
			out := k.GlobalLayout("out", dtype.U32, parse("64:1"))
			k.If(pick(r, s.conds), func() {
				k.Store(pick(r, s.ints).Add(k.ThreadIdx()).Value(dtype.S64).Convert(dtype.U32), out, k.ThreadIdx())
				k.Store(pick(r, s.values).Convert(dtype.U32), out, k.ThreadIdx())
			})
		})
		if err != nil {
			if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code == "" || e.Msg == "" {
				t.Errorf("seed %d, %v: %v", seed, log, err)
			}
			continue
		}
		traced++
		_, err = k.Simulate(context.Background(), kernel.Args{
			Ints: map[string]int64{"n": int64(seed % 99)}, Tensors: map[string][]float64{"out": make([]float64, 64)},
		})
		f, ok := errors.AsType[*sim.Finding](err)
		if err != nil && (!ok || f.Kind != sim.KindAssert || !strings.Contains(f.Message, "stated")) {
			t.Errorf("seed %d, %v: %v", seed, log, err)
		}
	}
	t.Logf("%d of %d kernels traced", traced, n)
}
