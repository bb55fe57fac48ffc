package gemms

import (
	"errors"
	"math/rand/v2"
	"slices"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/gpu"
	"girih/internal/machine/gemm"
)

// A gemmOutcome is the result of a kernel for a problem.
type gemmOutcome struct {
	Kernel     string      `json:"kernel,omitempty"` // its name in package examples, or ""
	Atom       string      `json:"atom"`
	Card       string      `json:"card,omitempty"`
	Size       [3]int64    `json:"size,omitzero"` // M, N, K
	Atoms      string      `json:"atoms,omitempty"`
	Tile       [3]int64    `json:"tile,omitzero"`
	Blocks     [3]int64    `json:"blocks,omitzero"` // x along M, y times z along N
	Threads    int         `json:"block,omitempty"` // per block
	Shared     int         `json:"shared,omitempty"`
	Registers  int         `json:"registers,omitempty"`
	Spilled    int         `json:"spilled_bytes,omitempty"` // per thread
	Compiled   float64     `json:"compile_seconds,omitempty"`
	Cached     bool        `json:"cached,omitempty"`
	Seconds    float64     `json:"seconds,omitempty"` // the median time
	GFLOPS     float64     `json:"gflops,omitempty"`
	Right      bool        `json:"right"`
	Runs       []gemmCheck `json:"runs,omitempty"`
	Predicted  []gemmStage `json:"predicted,omitempty"`
	Prediction string      `json:"prediction_error,omitempty"`
	Simulated  *gemmStage  `json:"simulated,omitempty"` // the simulator's counts of all instructions
	Error      string      `json:"error,omitempty"`
	Hint       string      `json:"hint,omitempty"`
}

// A gemmCheck is a result compared with float64.
type gemmCheck struct {
	Numbers  string   `json:"numbers"`
	Elements int64    `json:"elements"`         // the number of compared elements
	Exact    int64    `json:"exact"`            // compared elements that must be exact
	Summed   int64    `json:"summed,omitempty"` // other elements, which are covered by a random sum over each row
	Missed   float64  `json:"missed,omitempty"` // the probability that a wrong row has the right sum
	Wrong    int64    `json:"wrong"`
	Worst    float64  `json:"worst"`
	Bound    float64  `json:"bound"`
	First    *gemmBad `json:"first,omitempty"`
	Stray    bool     `json:"stray,omitempty"` // bytes after D were written
}

// A gemmBad is an element that is wrong.
type gemmBad struct {
	Row    int64  `json:"row"`
	Column int64  `json:"column"`
	Got    string `json:"got"`
	Want   string `json:"want"`
}

// A gemmStage is the planned traffic of one instruction of a kernel.
type gemmStage struct {
	Name         string `json:"name"`
	Operation    string `json:"operation"`
	Instructions int64  `json:"instructions"`
	Bytes        int64  `json:"bytes"`
	Sectors      int64  `json:"sectors"`
	Wavefronts   int64  `json:"wavefronts"`
	Ideal        int64  `json:"ideal"`
}

// A gemmTrial selects the problems of one size that are run and compared.
type gemmTrial struct {
	size    [3]int64
	kinds   []numbers
	seed    uint64
	sampled bool // a sample of D is compared, not every element
	timed   bool // the last problem is timed
	planned bool // the outcome says what the kernel moves
}

// times reports whether the problem with these numbers is timed.
func (t gemmTrial) times(kind numbers) bool { return t.timed && kind == t.kinds[len(t.kinds)-1] }

// elements returns the elements of D to compare, nil for all.
func (t gemmTrial) elements() gemm.Sample {
	if !t.sampled {
		return nil
	}
	return sample(t.size[0], t.size[1])
}

// sample picks about 4096 elements, including the corners and the middles of the edges.
func sample(m, n int64) gemm.Sample {
	out := gemm.Sample{}
	for _, i := range []int64{0, m / 2, m - 1} {
		out[i] = append(out[i], 0, n/2, n-1)
	}
	random := rand.New(rand.NewPCG(3, 5))
	for range 4096 {
		i := random.Int64N(m)
		out[i] = append(out[i], random.Int64N(n))
	}
	for i, columns := range out {
		slices.Sort(columns)
		out[i] = slices.Compact(columns)
	}
	return out
}

// numbers is a kind of numbers that matrices are filled with.
type numbers int

const (
	smallIntegers numbers = iota
	normal
	wholeRange
)

// String returns the name in the report.
func (x numbers) String() string {
	return [...]string{"small integers", "normal distribution", "integers of the whole range"}[x]
}

func kindsOf(p *product) []numbers {
	if p.integers {
		return []numbers{smallIntegers}
	}
	if p.form.MMA.Atom().Types.A.Type.Kind() == dtype.Float {
		return []numbers{smallIntegers, normal}
	}
	return []numbers{smallIntegers, wholeRange}
}

// problem draws a problem. A sparse A has only the elements that the instruction keeps, and scale factors are powers of
// two. Small integers are so small, and so few of them in a row of A are nonzero, that their sums are exact.
func (x numbers) problem(p *product, size [3]int64, seed uint64) (gemm.Problem, error) {
	m := p.form.MMA.Atom()
	out := gemm.Problem{M: size[0], N: size[1], K: size[2]}
	factor := int64(m.Types.A.Parts)
	if m.Scale != nil {
		factor *= 4 * 4
	}
	d := drawing{kind: x, seed: seed, most: 2, every: 1}
	if limit := p.form.ExactSum(); x == smallIntegers && float64(factor*4*out.K+2) > limit {
		d.most = 1
		d.every = (factor*out.K + int64(limit) - 2) / (int64(limit) - 1)
	}
	a, err := d.fill(m.Types.A, out.K, out.M)
	if err != nil {
		return out, err
	}
	d.every = 1
	if out.B, err = d.fill(m.Types.B, out.K, out.N); err != nil {
		return out, err
	}
	if x == smallIntegers && p.adds {
		if out.C, err = d.fill(m.Types.C, out.N, out.M); err != nil {
			return out, err
		}
	}
	out.A = a
	if m.Sparse != nil {
		_ = gemm.Parts(out.M, d.rows(out.K), func(from, to int64) error {
			gemm.Prune(m, a[from*out.K:to*out.K], out.K, d.random(from).Perm)
			return nil
		})
	}
	if m.Scale != nil {
		random := d.random(0)
		groups := (out.K + m.Scale.Vector - 1) / m.Scale.Vector
		for range (out.M + out.N) * groups {
			out.ScaleA = append(out.ScaleA, float64(int64(1)<<random.IntN(3)))
		}
		out.ScaleA, out.ScaleB = out.ScaleA[:out.M*groups], out.ScaleA[out.M*groups:]
	}
	return out, nil
}

// A drawing fills matrices with numbers of a kind. Each part of a matrix has its own generator, so that parts can be
// drawn concurrently. Small integers are from -most to most. In each row one of "every" numbers is nonzero; the
// positions differ from row to row.
type drawing struct {
	kind        numbers
	seed        uint64
	matrices    uint64 // drawn so far
	most, every int64
}

// random returns the generator for the part of the last matrix that begins at row.
func (d *drawing) random(row int64) *rand.Rand {
	return rand.New(rand.NewPCG(d.seed, uint64(d.kind)|d.matrices<<8|uint64(row)<<16))
}

// rows returns how many rows of that length are drawn as one part.
func (d *drawing) rows(columns int64) int64 { return max(1, 1<<16/columns) }

// fill draws rows of numbers that the type can represent.
func (d *drawing) fill(e atom.Element, columns, rows int64) ([]float64, error) {
	d.matrices++
	columns *= int64(e.Parts)
	xs := make([]float64, rows*columns)
	draw, err := d.draw(e.Type)
	if err != nil {
		return nil, err
	}
	_ = gemm.Parts(rows, d.rows(columns), func(from, to int64) error {
		random := d.random(from)
		for i := from; i < to; i++ {
			row := xs[i*columns:][:columns]
			draw(random, row)
			for j := range row {
				if (int64(j)+i)%d.every != 0 {
					row[j] = 0
				}
			}
		}
		return nil
	})
	return xs, nil
}

// draw returns a function that draws numbers of the type.
func (d *drawing) draw(t dtype.Type) (func(random *rand.Rand, xs []float64), error) {
	low, high := -d.most, d.most
	switch {
	case t == dtype.B1 || t == dtype.U1:
		low, high = 0, 1
	case d.kind == wholeRange && t.Kind() == dtype.Signed && t.Bits() <= 16:
		low, high = -1<<(t.Bits()-1), 1<<(t.Bits()-1)-1
	case d.kind == wholeRange && t.Kind() == dtype.Natural && t.Bits() <= 16:
		low, high = 0, 1<<t.Bits()-1
	case t.Kind() == dtype.Natural:
		low = 0
	}
	span := uint64(high - low + 1)
	switch {
	case d.kind != normal:
		return func(random *rand.Rand, xs []float64) {
			for i := range xs {
				word := random.Uint32()
				xs[i] = float64(low + int64(uint64(word)*span>>32))
			}
		}, nil
	case t.Bits() > 16:
		return func(random *rand.Rand, xs []float64) {
			for i := range xs {
				xs[i] = clamp(random.NormFloat64())
			}
		}, nil
	}
	table, err := normals(t)
	return func(random *rand.Rand, xs []float64) {
		for i := range xs {
			xs[i] = table[random.Uint32()%uint32(len(table))]
		}
	}, err
}

// clamp limits a number to [-3, 3], because the smallest types have no larger numbers.
func clamp(x float64) float64 { return min(3, max(-3, x)) }

// normals returns a table of numbers of a normal distribution, rounded to a type.
func normals(t dtype.Type) ([]float64, error) {
	random := rand.New(rand.NewPCG(1, 11))
	table := make([]float64, 1<<16)
	for i := range table {
		code, err := t.Encode(clamp(random.NormFloat64()))
		if err != nil {
			return nil, err
		}
		if table[i], err = t.Decode(code); err != nil {
			return nil, err
		}
	}
	return table, nil
}

// failure returns the outcome of an error.
func failure(name string, err error) *gemmOutcome {
	o := &gemmOutcome{Atom: name, Error: err.Error()}
	if e, ok := errors.AsType[*gpu.Error](err); ok {
		o.Error, o.Hint = string(e.Code)+": "+o.Error, e.Hint
	} else if e, ok := errors.AsType[*cute.Error](err); ok {
		o.Hint = e.Hint
	}
	return o
}
