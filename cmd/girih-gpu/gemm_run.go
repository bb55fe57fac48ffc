package main

import (
	"errors"
	"math/rand/v2"

	"girih"
	"girih/atom"
	"girih/dtype"
	"girih/gpu"
	"girih/internal/gemm"
)

// A gemmOutcome is what a kernel did with a problem.
type gemmOutcome struct {
	Kernel     string      `json:"kernel,omitempty"` // of package examples, or ""
	Atom       string      `json:"atom"`
	Card       string      `json:"card,omitempty"`
	Size       [3]int64    `json:"size,omitzero"` // M, N, K
	Atoms      string      `json:"atoms,omitempty"`
	Tile       [3]int64    `json:"tile,omitzero"`
	Blocks     [3]int64    `json:"blocks,omitzero"`   // x along M, y times z along N
	Threads    int         `json:"threads,omitempty"` // of a block
	Shared     int         `json:"shared_bytes,omitempty"`
	Registers  int         `json:"registers,omitempty"`
	Spilled    int         `json:"spilled_bytes,omitempty"` // of a thread
	Compiled   float64     `json:"compile_seconds,omitempty"`
	Cached     bool        `json:"cached,omitempty"`
	Seconds    float64     `json:"seconds,omitempty"` // the median
	GFLOPS     float64     `json:"gflops,omitempty"`
	Right      bool        `json:"right"`
	Runs       []gemmCheck `json:"runs,omitempty"`
	Predicted  []gemmStage `json:"predicted,omitempty"`
	Prediction string      `json:"prediction_error,omitempty"`
	Simulated  *gemmStage  `json:"simulated,omitempty"` // what the simulator counted of it all
	Error      string      `json:"error,omitempty"`
	Hint       string      `json:"hint,omitempty"`
}

// A gemmCheck is a result compared with float64.
type gemmCheck struct {
	Numbers  string   `json:"numbers"`
	Elements int64    `json:"elements"` // that were compared
	Exact    int64    `json:"exact"`    // of them, that must be exact
	Wrong    int64    `json:"wrong"`
	Worst    float64  `json:"worst"`
	Bound    float64  `json:"bound"`
	First    *gemmBad `json:"first,omitempty"`
	Stray    bool     `json:"stray,omitempty"` // something behind D was written
}

// A gemmBad is an element that is wrong.
type gemmBad struct {
	Row    int64  `json:"row"`
	Column int64  `json:"column"`
	Got    string `json:"got"`
	Want   string `json:"want"`
}

// A gemmStage is what a kernel moves with one instruction, as package kernel plans it.
type gemmStage struct {
	Name         string `json:"name"`
	Operation    string `json:"operation"`
	Instructions int64  `json:"instructions"`
	Bytes        int64  `json:"bytes"`
	Sectors      int64  `json:"sectors"`
	Wavefronts   int64  `json:"wavefronts"`
	Ideal        int64  `json:"ideal"`
}

// A gemmTrial says which problems of one size are run and compared.
type gemmTrial struct {
	size    [3]int64
	kinds   []numbers
	seed    uint64
	sampled bool // a sample of D is compared, not every element
	timed   bool // the last one is timed
}

// times reports whether the problem with these numbers is timed.
func (t gemmTrial) times(kind numbers) bool { return t.timed && kind == t.kinds[len(t.kinds)-1] }

// compared returns which elements of D are, nil for all.
func (t gemmTrial) compared() func(i, j int64) bool {
	if !t.sampled {
		return nil
	}
	return sample(t.size[0], t.size[1])
}

// sample picks about 4096 elements, the corners and the middle of the edges among them.
func sample(m, n int64) func(i, j int64) bool {
	picked := map[[2]int64]bool{}
	for _, i := range []int64{0, m / 2, m - 1} {
		for _, j := range []int64{0, n / 2, n - 1} {
			picked[[2]int64{i, j}] = true
		}
	}
	random := rand.New(rand.NewPCG(3, 5))
	for range 4096 {
		picked[[2]int64{random.Int64N(m), random.Int64N(n)}] = true
	}
	return func(i, j int64) bool { return picked[[2]int64{i, j}] }
}

// numbers is what matrices are filled with.
type numbers int

const (
	smallIntegers numbers = iota
	normal
	wholeRange
)

// String returns what the report says.
func (x numbers) String() string {
	return [...]string{"small integers", "normal distribution", "integers of the whole range"}[x]
}

func kindsOf(p *product) []numbers {
	if p.form.MMA.Atom().Types.A.Type.Kind() == dtype.Float {
		return []numbers{smallIntegers, normal}
	}
	return []numbers{smallIntegers, wholeRange}
}

// problem draws a problem. Of a sparse A there is only what the instruction holds, and factors are powers of two.
func (x numbers) problem(p *product, size [3]int64, seed uint64) gemm.Problem {
	m := p.form.MMA.Atom()
	random := rand.New(rand.NewPCG(seed, uint64(x)))
	out := gemm.Problem{M: size[0], N: size[1], K: size[2]}
	draw := func(e atom.Element, rows, columns int64) []float64 {
		return x.fill(random, e.Type, rows*columns*int64(e.Parts))
	}
	out.A, out.B = draw(m.Types.A, out.M, out.K), draw(m.Types.B, out.N, out.K)
	if x == smallIntegers && p.adds {
		out.C = draw(m.Types.C, out.M, out.N)
	}
	gemm.Prune(m, out.A, out.K, random.Perm)
	if m.Scale != nil {
		groups := (out.K + m.Scale.Vector - 1) / m.Scale.Vector
		for range (out.M + out.N) * groups {
			out.ScaleA = append(out.ScaleA, float64(int64(1)<<random.IntN(3)))
		}
		out.ScaleA, out.ScaleB = out.ScaleA[:out.M*groups], out.ScaleA[out.M*groups:]
	}
	return out
}

// fill draws n numbers that the type has.
func (x numbers) fill(random *rand.Rand, t dtype.Type, n int64) []float64 {
	low, high := int64(-2), int64(2)
	switch {
	case t == dtype.B1 || t == dtype.U1:
		low, high = 0, 1
	case x == wholeRange && t.Kind() == dtype.Signed && t.Bits() <= 16:
		low, high = -1<<(t.Bits()-1), 1<<(t.Bits()-1)-1
	case x == wholeRange && t.Kind() == dtype.Natural && t.Bits() <= 16:
		low, high = 0, 1<<t.Bits()-1
	case t.Kind() == dtype.Natural:
		low = 0
	}
	xs := make([]float64, n)
	for i := range xs {
		if x == normal {
			// Beyond three the smallest types have no number.
			xs[i] = min(3, max(-3, random.NormFloat64()))
			continue
		}
		xs[i] = float64(low + random.Int64N(high-low+1))
	}
	return xs
}

// failed makes an outcome of an error.
func failed(name string, err error) *gemmOutcome {
	o := &gemmOutcome{Atom: name, Error: err.Error()}
	if e, ok := errors.AsType[*gpu.Error](err); ok {
		o.Error, o.Hint = string(e.Code)+": "+o.Error, e.Hint
	} else if e, ok := errors.AsType[*girih.Error](err); ok {
		o.Hint = e.Hint
	}
	return o
}
