package copy_test

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/check/long"
	"girih/kernel"
	"girih/kernel/copy"
	"girih/symbolic"

	"pgregory.net/rapid"
)

// A draft is two layouts of run-time integers under construction: leaves of the source and of the destination, with the
// facts of the symbols.
type draft struct {
	t      *rapid.T
	scope  symbolic.Scope
	values symbolic.Values
}

// number returns, at random, either a known number or a symbol with facts that hold for the number.
func (d *draft) number(name string, n int64) symbolic.Int {
	t := d.t
	if rapid.IntRange(0, 3).Draw(t, name+" known") == 0 {
		return symbolic.Const(n)
	}
	f := symbolic.NoFacts()
	for _, div := range []int64{2, 4, 8, 16, 3, 128} {
		if n%div == 0 && n != 0 && rapid.Bool().Draw(t, fmt.Sprintf("%s div %d", name, div)) {
			f.Div = div
		}
	}
	switch rapid.IntRange(0, 5).Draw(t, name+" bound") {
	case 0:
		f.Max = n
	case 1:
		f.Max = n + 100
	case 2:
		f.Min = n - f.Div
	}
	f.Bits = rapid.SampledFrom([]int{0, 0, 32, 64}).Draw(t, name+" bits")
	var s *symbolic.Symbol
	var err error
	if rapid.IntRange(0, 4).Draw(t, name+" anonymous") == 0 {
		s, err = d.scope.Anonymous(f)
	} else {
		s, err = d.scope.Named(name, f)
	}
	if err != nil {
		t.Fatal(err)
	}
	d.values[s] = n
	return symbolic.Of(s)
}

// mul returns the product of numbers.
func mul(t tester, x ...symbolic.Int) symbolic.Int {
	p := symbolic.Const(1)
	for _, y := range x {
		var err error
		if p, err = symbolic.Mul(p, y); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// strides draws the strides of one side: in some order of the modes, each stride is the size of the modes before it or
// larger, and known or not.
func (d *draft) strides(side string, extents []symbolic.Int, values []int64) []symbolic.Int {
	t := d.t
	order := rapid.Permutation(indices(len(extents))).Draw(t, side+" order")
	out := make([]symbolic.Int, len(extents))
	next, at := symbolic.Const(1), int64(1)
	for j, i := range order {
		out[i] = next
		if rapid.IntRange(0, 9).Draw(t, side+" sign") == 0 {
			out[i] = mul(t, next, symbolic.Const(-1))
		}
		if at *= values[i]; rapid.IntRange(0, 2).Draw(t, side+" pitched") > 0 {
			next = mul(t, next, extents[i])
			continue
		}
		if at += rapid.SampledFrom([]int64{0, 0, 1, 3, 8}).Draw(t, side+" gap"); rapid.Bool().Draw(t, side+" whole") {
			at = (at + 7) / 8 * 8
		}
		next = d.number(fmt.Sprintf("%s_pitch%d", side, j), at)
	}
	return out
}

func layoutOf(t tester, shape, stride []symbolic.Int) symbolic.Layout {
	var s, d []symbolic.Tuple
	for i := range shape {
		s, d = append(s, symbolic.Number(shape[i])), append(d, symbolic.Number(stride[i]))
	}
	l, err := symbolic.New(symbolic.Nest(s...), symbolic.Nest(d...))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// openPairs draws two layouts of run-time integers, values for these, and options.
func openPairs(t *rapid.T) (src, dst symbolic.Layout, values symbolic.Values, o copy.Options) {
	d := &draft{t: t, values: symbolic.Values{}}
	n := rapid.IntRange(1, 6).Draw(t, "modes")
	var extents []symbolic.Int
	var known []int64
	size := int64(1)
	some := []int64{1, 1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 64, 65, 96, 127, 128, 130, 200, 257}
	for i := range n {
		e := rapid.SampledFrom(some).Draw(t, "extent")
		for size*e > 1<<13 {
			e = (e + 1) / 2
		}
		size *= e
		known, extents = append(known, e), append(extents, d.number(fmt.Sprintf("N%d", i), e))
	}
	from, to := d.strides("S", extents, known), d.strides("D", extents, known)
	for i := range from {
		switch rapid.IntRange(0, 15).Draw(t, "source") {
		case 0:
			from[i] = symbolic.Const(0)
		case 1:
			from[i] = d.number(fmt.Sprintf("B%d", i), 0) // a broadcast that is known at run time only
		}
	}
	o = pairs(t).o
	return layoutOf(t, extents, from), layoutOf(t, extents, to), d.values, o
}

// TestAnyOpenPair plans random copies for run-time integers and runs them on the simulator.
func TestAnyOpenPair(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		if long.Skips(rapid.IntRange(0, 1).Draw(t, "in the sample"), 2) {
			return
		}
		src, dst, values, o := openPairs(t)
		p, err := copy.NewSymbolic(src, dst, o)
		if err != nil {
			t.Fatalf("%v to %v: %v", src, dst, err)
		}
		runsAt(t, p, values, pair{o: o})
		if rapid.Bool().Draw(t, "again") {
			return
		}
		for s, n := range values { // other values of the same plan
			if m := n + rapid.SampledFrom([]int64{1, -1, 8, -8}).Draw(t, "more"); s.Admits(m) == nil && m <= n+8 && m >= -64 {
				old := values[s]
				values[s] = m
				if _, err := p.At(values); err != nil {
					values[s] = old
				}
			}
		}
		runsAt(t, p, values, pair{o: o})
	})
}

// TestWork checks that no kernel is refused because of a thread's work, for the options that demand most of a thread.
// Kernels that fit in shared memory load; with default options every kernel loads.
func TestWork(t *testing.T) {
	t.Parallel()
	holds := func(t tester, src, dst symbolic.Layout, o copy.Options) {
		p, err := copy.NewSymbolic(src, dst, o)
		if err != nil {
			t.Fatal(err)
		}
		k, err := p.Kernel()
		e, ok := errors.AsType[*cute.Error](err)
		if ok && e.Code == cute.CodeLimit && p.Describe().Shared > kernel.MaxShared && o.Tile > 256 {
			return
		}
		if err != nil {
			t.Fatalf("%v to %v under %+v: %v", src, dst, o, err)
		}
		// The simulator can hold 2^16 registers and constants, each of at least 16 bytes of text.
		if text := k.Module.String(); len(text) > 1<<20 {
			t.Fatalf("%v to %v under %+v: %d bytes of PTX\n%v", src, dst, o, len(text), p)
		}
	}
	s := &sheet{}
	src, dst := s.layout(t, "(M,N):(N,1)"), s.layout(t, "(M,N):(1,M)")
	for _, way := range []copy.Way{copy.Direct, copy.Blocks, copy.Rows} {
		for _, tile := range []int64{256, 512, 1024} {
			holds(t, src, dst, copy.Options{
				Bytes: 1, SrcAlign: 1, DstAlign: 1, Way: way, Tile: tile, Flight: 512, Threads: 32,
			})
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		src, dst, _, o := openPairs(t)
		o.Tile, o.Flight, o.Threads = 0, 0, 0
		if rapid.Bool().Draw(t, "most") {
			o.Tile = rapid.SampledFrom([]int64{0, 128, 256, 512, 1024}).Draw(t, "largest tile")
			o.Flight = rapid.SampledFrom([]int64{0, 64, 512}).Draw(t, "largest flight")
			o.Threads = rapid.SampledFrom([]int64{32, 33, 1000}).Draw(t, "fewest threads")
		}
		holds(t, src, dst, o)
	})
}

// runsAt runs a plan with values for its integers: see runs.
func runsAt(t tester, p *copy.Plan, values symbolic.Values, c pair) {
	t.Helper()
	q, err := p.At(values)
	if err != nil {
		t.Fatalf("%v\n%v", err, p)
	}
	d := q.Describe()
	slots := d.Blocks
	for _, n := range d.Tile {
		slots *= n
	}
	if slots > mostSlots {
		return
	}
	c.src, c.dst = cute.MustParse(d.Src), cute.MustParse(d.Dst)
	runs(t, q, c)
}

// mostSlots limits the elements of all tiles; if the plan allows large layouts, most of these elements are outside a
// small layout. The simulator takes seconds for a million.
const mostSlots = 1 << 19

// A sheet parses layouts for tests: letters are symbols, whose facts are given.
type sheet struct {
	scope symbolic.Scope
	facts map[string]symbolic.Facts
}

// number parses a product such as 2*M*N, or -1.
func (s *sheet) number(t testing.TB, text string) symbolic.Int {
	t.Helper()
	p := symbolic.Const(1)
	for f := range strings.SplitSeq(text, "*") {
		var x symbolic.Int
		if n, err := strconv.ParseInt(f, 10, 64); err == nil {
			x = symbolic.Const(n)
		} else {
			facts, ok := s.facts[f]
			if !ok {
				facts = symbolic.NoFacts()
			}
			y, err := s.scope.Named(f, facts)
			if err != nil {
				t.Fatal(err)
			}
			x = symbolic.Of(y)
		}
		p = mul(t, p, x)
	}
	return p
}

// layout parses a flat layout, such as (M,N):(N,1).
func (s *sheet) layout(t testing.TB, text string) symbolic.Layout {
	t.Helper()
	shape, stride, _ := strings.Cut(text, ":")
	list := func(text string) (out []symbolic.Int) {
		for x := range strings.SplitSeq(strings.Trim(text, "()"), ",") {
			out = append(out, s.number(t, x))
		}
		return out
	}
	return layoutOf(t, list(shape), list(stride))
}

// at returns values by name.
func (s *sheet) at(values map[string]int64) symbolic.Values {
	out := symbolic.Values{}
	for name, n := range values {
		if x, ok := s.scope.Lookup(name); ok {
			out[x] = n
		}
	}
	return out
}

// TestOpenPairs checks common copies with values at the ends of tiles, for all element sizes and ways.
func TestOpenPairs(t *testing.T) {
	t.Parallel()
	combination := 0
	eight := symbolic.Facts{Div: 8, Min: 1, Max: 1 << 20}
	for _, c := range []struct {
		src, dst string
		facts    map[string]symbolic.Facts
		values   []map[string]int64
	}{
		{"(M,N):(N,1)", "(M,N):(1,M)", nil, []map[string]int64{
			{"M": 1, "N": 1},
			{"M": 1, "N": 300},
			{"M": 300, "N": 1},
			{"M": 65, "N": 63},
			{"M": 128, "N": 128},
			{"M": 129, "N": 255},
		}},
		{"(M,N):(N,1)", "(M,N):(1,M)", map[string]symbolic.Facts{"M": eight, "N": eight}, []map[string]int64{
			{"M": 8, "N": 8}, {"M": 128, "N": 136}, {"M": 264, "N": 64},
		}},
		{"(M,N):(P,1)", "(M,N):(Q,1)", map[string]symbolic.Facts{"P": eight, "Q": eight}, []map[string]int64{
			{"M": 7, "N": 77, "P": 80, "Q": 88}, {"M": 40, "N": 300, "P": 304, "Q": 320}, {"M": 1, "N": 1, "P": 8, "Q": 8},
		}},
		{"(B,M,N):(M*P,P,1)", "(B,M,N):(M*N,N,1)", nil, []map[string]int64{{"B": 3, "M": 33, "N": 20, "P": 23}}},
		{"(B,H,S,D):(H*S*D,S*D,D,1)", "(B,H,S,D):(H*S*D,D,H*D,1)", map[string]symbolic.Facts{"D": eight}, []map[string]int64{
			{"B": 2, "H": 3, "S": 17, "D": 64}, {"B": 1, "H": 1, "S": 1, "D": 8},
		}},
		{"(A,B,C,D,E):(B*C*D*E,C*D*E,D*E,E,1)", "(A,B,C,D,E):(B,1,E*A*B,C*E*A*B,A*B)", nil, []map[string]int64{
			{"A": 3, "B": 5, "C": 4, "D": 6, "E": 7}, {"A": 1, "B": 40, "C": 1, "D": 2, "E": 50},
		}},
		{"(N,C):(C,1)", "(N,C):(1,N)", map[string]symbolic.Facts{"C": {Div: 1, Min: 1, Max: 4}}, []map[string]int64{
			{"N": 500, "C": 3}, {"N": 1, "C": 4},
		}},
		{
			"(K,4,M):(4,1,4*K)", "(K,4,M):(1,16,64)",
			map[string]symbolic.Facts{"K": {Div: 1, Min: 1, Max: 16}},
			[]map[string]int64{{"K": 16, "M": 9}, {"K": 11, "M": 9}},
		},
		{"(add,WARP_SZ):(WARP_SZ,1)", "(add,WARP_SZ):(1,add)", nil, []map[string]int64{{"add": 9, "WARP_SZ": 10}}},
		{"N:-1", "N:1", nil, []map[string]int64{{"N": 77}, {"N": 1}}},
		{"(N,M):(0,1)", "(N,M):(1,N)", nil, []map[string]int64{{"N": 9, "M": 70}}},
		{"(M,N):(S,T)", "(M,N):(U,V)", nil, []map[string]int64{
			{"M": 9, "N": 70, "S": -1, "T": 10, "U": 70, "V": 1}, {"M": 30, "N": 7, "S": 1, "T": 0, "U": 1, "V": -30},
		}},
		{"(4,M):(1,4)", "(2,2*M):(2*M,1)", nil, []map[string]int64{{"M": 33}}},
	} {
		for _, bytes := range []int64{1, 2, 4, 8, 16} {
			for _, way := range []copy.Way{"", copy.Direct, copy.Blocks, copy.Rows} {
				for _, align := range []int64{256, min(bytes, 2)} {
					if combination++; long.Skips(combination, 13) {
						continue
					}
					s := &sheet{facts: c.facts}
					src, dst := s.layout(t, c.src), s.layout(t, c.dst)
					o := copy.Options{Bytes: bytes, SrcAlign: align, DstAlign: align, Way: way}
					p, err := copy.NewSymbolic(src, dst, o)
					if err != nil {
						t.Fatalf("%s to %s of %d bytes: %v", c.src, c.dst, bytes, err)
					}
					for _, v := range c.values {
						runsAt(t, p, s.at(v), pair{o: o})
					}
				}
			}
		}
	}
}

// TestOpenRefusals checks that layouts that cannot be planned, and values that cannot be copied, are refused.
func TestOpenRefusals(t *testing.T) {
	t.Parallel()
	eight := map[string]symbolic.Facts{"N": {Div: 8, Min: 1, Max: 1 << 20}}
	for _, c := range []struct {
		src, dst string
		facts    map[string]symbolic.Facts
		values   map[string]int64 // nil for a plan that is refused
		code     cute.Code
		says     string
	}{
		{"(M,N):(N,1)", "(N,M):(1,N)", nil, nil, cute.CodeUnknown, "which of M and N divides the other"},
		{"(M,N):(N,1)", "M:1", nil, nil, cute.CodeNotCongruent, "nothing that goes with N"},
		{"(M,N):(N,1)", "(M,N):(1,M)", nil, map[string]int64{"M": 4}, cute.CodeUnknown, "N has no value"},
		{"(M,N):(N,1)", "(M,N):(1,M)", nil, map[string]int64{"M": 4, "N": 0}, cute.CodeFact, "N = 0 breaks"},
		{"(M,N):(N,1)", "(M,N):(1,M)", nil, map[string]int64{"M": -4, "N": 4}, cute.CodeFact, "M = -4 breaks"},
		{"(M,N):(N,1)", "(M,N):(1,M)", eight, map[string]int64{"M": 4, "N": 12}, cute.CodeFact, "that 8 divides N"},
		{
			"(M,N):(N,1)", "(M,N):(1,P)", nil,
			map[string]int64{"M": 10, "N": 10, "P": 9},
			cute.CodeNotInjective, "(9,0) and (0,1)",
		},
		{"(M,N):(N,1)", "(M,N):(0,1)", nil, map[string]int64{"M": 2, "N": 10}, cute.CodeNotInjective, "(1,0)"},
		{"M:1", "M:1", nil, map[string]int64{"M": 1 << 31}, cute.CodeOverflow, "M is 2147483648"},
		{"M:P", "M:1", nil, map[string]int64{"M": 2, "P": 1 << 33}, cute.CodeOverflow, "P is 8589934592"},
		{
			"M:P", "M:1",
			map[string]symbolic.Facts{"P": {Div: 1, Min: 0, Max: 1 << 50, Bits: 64}},
			map[string]int64{"M": 2, "P": 1 << 42},
			cute.CodeOverflow, "P is 4398046511104",
		},
		{
			"M:P", "M:1",
			map[string]symbolic.Facts{"P": {Div: 1, Min: 0, Max: 1 << 50, Bits: 64}},
			map[string]int64{"M": 1 << 10, "P": 1 << 39},
			cute.CodeOverflow, "planned for",
		},
		{
			"(M,N,K):(N*K,K,1)", "(M,N,K):(1,M,M*N)", nil,
			map[string]int64{"M": 1 << 30, "N": 1 << 30, "K": 1 << 30},
			cute.CodeOverflow, "",
		},
		{
			"(M,N):(N,1)", "(M,N):(1,M)",
			map[string]symbolic.Facts{"M": {Div: 1, Min: 1 << 31, Max: 1 << 40}},
			nil, cute.CodeFact, "no integer of 32 bits",
		},
		{"(M,4000000000000000000):(4,1)", "(M,4000000000000000000):(1,M)", nil, nil, cute.CodeOverflow, "largest planned stride"},
		{"9000000000000000000*M:1", "9000000000000000000*M:1", nil, nil, cute.CodeOverflow, "largest planned stride"},
	} {
		s := &sheet{facts: c.facts}
		p, err := copy.NewSymbolic(s.layout(t, c.src), s.layout(t, c.dst), copy.Options{Bytes: 2})
		if c.values != nil {
			if err != nil {
				t.Fatalf("%s to %s: %v", c.src, c.dst, err)
			}
			_, err = p.At(s.at(c.values))
		}
		e, ok := errors.AsType[*cute.Error](err)
		if !ok || e.Code != c.code || !strings.Contains(e.Error(), c.says) {
			t.Errorf("%s to %s with %v: %v, should be %s: %s", c.src, c.dst, c.values, err, c.code, c.says)
		}
	}
}

// TestOpenShapes checks copies between shapes of unnamed integers, which must be equal.
func TestOpenShapes(t *testing.T) {
	t.Parallel()
	var s symbolic.Scope
	var x [2]*symbolic.Symbol
	var l [2]symbolic.Layout
	for i := range x {
		var err error
		if x[i], err = s.Anonymous(symbolic.NoFacts()); err != nil {
			t.Fatal(err)
		}
		l[i] = layoutOf(t, []symbolic.Int{symbolic.Of(x[i])}, []symbolic.Int{symbolic.Const(1)})
	}
	p, err := copy.NewSymbolic(l[0], l[1], copy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	runsAt(t, p, symbolic.Values{x[0]: 5, x[1]: 5}, pair{o: copy.Options{Bytes: 4, SrcAlign: 256, DstAlign: 256}})
	_, err = p.At(symbolic.Values{x[0]: 5, x[1]: 6})
	if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != cute.CodeFact || !strings.Contains(e.Msg, "?1 == ?2") {
		t.Error(err)
	}
}

// BenchmarkNewSymbolic plans a permutation of five modes; the limit for a plan is 1 ms.
func BenchmarkNewSymbolic(b *testing.B) {
	s := &sheet{}
	src := s.layout(b, "(A,B,C,D,E):(B*C*D*E,C*D*E,D*E,E,1)")
	dst := s.layout(b, "(A,B,C,D,E):(B,1,E*A*B,C*E*A*B,A*B)")
	for b.Loop() {
		if _, err := copy.NewSymbolic(src, dst, copy.Options{Bytes: 4}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAt gives values to the plan.
func BenchmarkAt(b *testing.B) {
	s := &sheet{}
	src := s.layout(b, "(A,B,C,D,E):(B*C*D*E,C*D*E,D*E,E,1)")
	dst := s.layout(b, "(A,B,C,D,E):(B,1,E*A*B,C*E*A*B,A*B)")
	p, err := copy.NewSymbolic(src, dst, copy.Options{Bytes: 4})
	if err != nil {
		b.Fatal(err)
	}
	values := s.at(map[string]int64{"A": 32, "B": 48, "C": 24, "D": 40, "E": 56})
	for b.Loop() {
		if _, err := p.At(values); err != nil {
			b.Fatal(err)
		}
	}
}

// TestLeastStride checks that the least value of a parameter is a multiple of its divisor, also below 0: -2147483646 is
// the first multiple of 3 in 32 bits.
func TestLeastStride(t *testing.T) {
	var s symbolic.Scope
	m, _ := s.Named("M", symbolic.NoFacts())
	n, _ := s.Named("N", symbolic.NoFacts())
	stride, _ := s.Named("S", symbolic.Facts{Div: 3, Min: math.MinInt64, Max: math.MaxInt64})
	one := symbolic.Number(symbolic.Const(1))
	shape := symbolic.Nest(symbolic.Number(symbolic.Of(m)), symbolic.Number(symbolic.Of(n)))
	src, err := symbolic.New(shape, symbolic.Nest(symbolic.Number(symbolic.Of(stride)), one))
	if err != nil {
		t.Fatal(err)
	}
	dst, err := symbolic.New(shape, symbolic.Nest(one, symbolic.Number(symbolic.Of(m))))
	if err != nil {
		t.Fatal(err)
	}
	p, err := copy.NewSymbolic(src, dst, copy.Options{Bytes: 2})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := p.String(), "S from -2147483646 to 2147483646, a multiple of 3"; !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
}
