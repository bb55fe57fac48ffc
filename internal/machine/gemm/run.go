package gemm

import (
	"fmt"
	"math"

	"girih/atom"
	"girih/banks"
	"girih/cute"
)

// A Problem is D = A·B + C with A of M by K, B of N by K, and C of M by N elements, each row by row: K is contiguous in
// A and B, N in C. The numbers are rounded to the element types first. A nil C is zero. Of a complex number there are
// its parts, one after the other, and of C and D of GaussComplex the sums of its three products.
type Problem struct {
	M, N, K int64
	A, B, C []float64
	// ScaleA and ScaleB are the factors of a block-scaled instruction, each of Scale.Vector elements along K, the last one
	// of a row of what is left of them.
	ScaleA, ScaleB []float64
}

// A Result is what a kernel computes.
type Result struct {
	D      []float64 // M by N, row by row
	Ledger Ledger
}

// MaxWork is the largest number of multiplications that are simulated.
const MaxWork = 1 << 33

// Run computes the problem on the machine target, whose shared memory the ledger counts. It returns [cute.CodeExtent]
// for operands of the wrong length, [cute.CodeLimit] above [MaxWork] multiplications, [cute.CodeOverflow] for a
// number that its type cannot hold, [cute.CodeNotInvertible] if a copy does not deliver what the instruction needs,
// and the errors of the partitions.
func (k Kernel) Run(p Problem, target banks.Target) (Result, error) {
	if err := p.check(); err != nil {
		return Result{}, err
	}
	r, err := newRun(&k, target)
	if err != nil {
		return Result{}, err
	}
	if err := k.checkSparse(&p); err != nil {
		return Result{}, err
	}
	r.p, r.d = &p, make([]float64, p.M*p.N)
	r.acc = make([]float64, int(k.Threads())*r.c.values)
	r.ledger.Tiles = [3]int64{tiles(p.M, k.Tile[0]), tiles(p.N, k.Tile[1]), tiles(p.K, k.Tile[2])}
	if err := r.allTiles(); err != nil {
		return Result{}, err
	}
	return r.result(), nil
}

func tiles(n, tile int64) int64 { return (n + tile - 1) / tile }

func (p *Problem) check() error {
	if err := checkSize(p.M, p.N, p.K); err != nil {
		return err
	}
	const most = 1 << 20
	if p.M > most || p.N > most || p.K > most || p.M*p.N > MaxWork/p.K {
		return refuse(cute.CodeLimit, "%d by %d by %d are more than the %d multiplications that are simulated", p.M, p.N,
			p.K, int64(MaxWork))
	}
	return p.checkLengths()
}

// checkSize refuses extents that no problem has, and those whose products leave an int64.
func checkSize(m, n, k int64) error {
	if m < 1 || n < 1 || k < 1 {
		return refuse(cute.CodeExtent, "expected M, N and K of at least 1, found %d, %d and %d", m, n, k)
	}
	const most = 1 << 50
	if m > most || n > most/m || k > most/(m*n) {
		return refuse(cute.CodeLimit, "%d by %d by %d are more than 2^50 multiplications", m, n, k)
	}
	return nil
}

func (p *Problem) checkLengths() error { return p.checkParts([3]int64{1, 1, 1}) }

// checkParts refuses other numbers than there are elements of A, B and C of so many parts.
func (p *Problem) checkParts(parts [3]int64) error {
	if err := checkSize(p.M, p.N, p.K); err != nil {
		return err
	}
	for _, m := range []struct {
		name string
		have int
		want int64
	}{{"A", len(p.A), p.M * p.K * parts[0]}, {"B", len(p.B), p.N * p.K * parts[1]}, {"C", len(p.C), p.M * p.N * parts[2]}} {
		if int64(m.have) != m.want && (m.name != "C" || m.have != 0) {
			return refuse(cute.CodeExtent, "expected %d numbers in %s, found %d", m.want, m.name, m.have)
		}
	}
	return nil
}

// checkResult refuses a D of another length than M·N.
func (p *Problem) checkResult(d []float64) error {
	if int64(len(d)) != p.M*p.N {
		return refuse(cute.CodeExtent, "expected %d numbers in D, found %d", p.M*p.N, len(d))
	}
	return nil
}

// A run is a kernel at work.
type run struct {
	k       *Kernel
	p       *Problem
	in      *instruction
	threads *threadTable
	a, b    *mover
	c       spread
	acc     []float64 // the accumulators, thread by thread
	d       []float64
	ledger  Ledger
	along   []int64 // the k in the tile, for each k of each instruction
	left    int64   // the problem's K from the current tile on
	some    []int   // the k of an instruction that are inside the problem
}

// newRun plans a kernel, for problems of any size.
func newRun(k *Kernel, target banks.Target) (*run, error) {
	r := &run{k: k}
	if err := k.checkTile(); err != nil {
		return nil, err
	}
	var err error
	if r.in, err = newInstruction(k.MMA.Atom()); err != nil {
		return nil, err
	}
	if err := k.checkAlongK(); err != nil {
		return nil, err
	}
	if r.threads, err = k.threads(); err != nil {
		return nil, err
	}
	sides := k.sides()
	if r.a, err = newMover(k, sides[0], target); err != nil {
		return nil, err
	}
	if r.b, err = newMover(k, sides[1], target); err != nil {
		return nil, err
	}
	if r.c, err = spreadOf(k.MMA, atom.OperandC, k.Tile[0], k.Tile[1]); err != nil {
		return nil, err
	}
	r.ledger.Threads = k.Threads()
	return r, r.countProducts()
}

// checkAlongK refuses several atoms along K.
func (k *Kernel) checkAlongK() error {
	if n := k.atomsAlong(2); n > 1 {
		return refuse(cute.CodeLimit,
			"%d atoms along K each hold a part of every sum, which CuTe's epilogues do not add: use atoms along M and N", n)
	}
	return nil
}

// atomsAlong returns the number of atoms along M (0), N (1) or K (2).
func (k *Kernel) atomsAlong(i int) int64 {
	l, err := k.MMA.ThrLayoutVMNK().Mode(i + 1)
	if err != nil {
		return 1
	}
	return l.Size()
}

// A threadTable has the number of thread v of the group (m,n).
type threadTable struct {
	v, m, n int
	number  []int
}

func (t *threadTable) at(v, m, n int) int { return t.number[v+t.v*(m+t.m*n)] }

// threads tabulates ThrLayoutVMNK.
func (k *Kernel) threads() (*threadTable, error) {
	l := k.MMA.ThrLayoutVMNK()
	v, err := l.Mode(0)
	if err != nil {
		return nil, err
	}
	all := k.Threads()
	t := &threadTable{v: int(v.Size()), m: int(k.atomsAlong(0)), n: int(k.atomsAlong(1))}
	for n := range t.n {
		for m := range t.m {
			for v := range t.v {
				c, err := l.Eval(cute.Ints(int64(v), int64(m), int64(n), 0))
				if err != nil {
					return nil, err
				}
				x, ok := c.Int64()
				if !ok || x < 0 || x >= all {
					return nil, &cute.Error{
						Code: cute.CodeExtent, Op: "gemm", Msg: fmt.Sprintf("the thread layout %v leads to the thread %v of %d", l, c,
							all),
					}
				}
				t.number = append(t.number, int(x))
			}
		}
	}
	return t, nil
}

// each calls f with every thread: its number, its number t in the instruction, and its group along the modes of an
// operand.
func (threads *threadTable) each(o atom.Operand, f func(thread, t, x, y int) error) error {
	for m := range threads.m {
		for n := range threads.n {
			x, y := m, n // the groups of threads along the modes of C
			switch o {
			case atom.OperandA:
				y = 0
			case atom.OperandB:
				x, y = n, 0
			}
			for t := range threads.v {
				if err := f(threads.at(t, m, n), t, x, y); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// eachThread calls f with every register of an operand, in every thread that has it.
func (threads *threadTable) eachThread(o atom.Operand, s *spread, f func(thread, v int, element int32) error) error {
	return threads.each(o, func(thread, t, x, y int) error {
		own := s.index[(t+s.threads[0]*(x+s.threads[1]*y))*s.values:][:s.values]
		for v, element := range own {
			if err := f(thread, v, element); err != nil {
				return err
			}
		}
		return nil
	})
}

// An issue is one execution of the instruction: the group of threads, and the instruction of each operand.
type issue struct{ gm, gn, m, n, k int }

// issues calls f with every execution of the instruction for a tile, K last.
func (r *run) issues(f func(i issue) error) error {
	for k := range r.a.frags.restY {
		for n := range r.c.restY {
			for m := range r.c.restX {
				for gn := range r.threads.n {
					for gm := range r.threads.m {
						if err := f(issue{gm, gn, m, n, k}); err != nil {
							return err
						}
					}
				}
			}
		}
	}
	return nil
}

// countProducts checks that the instructions multiply what belongs together, and counts how often each product of a
// tile is added.
func (r *run) countProducts() error {
	tile := r.k.Tile
	if r.a.frags.restY != r.b.frags.restY || r.a.frags.restX != r.c.restX || r.b.frags.restX != r.c.restY {
		return &cute.Error{Code: cute.CodeNotCongruent, Op: "gemm", Msg: "the fragments of A, B and C are of different numbers of instructions"}
	}
	times := make([]uint8, tile[0]*tile[1]*tile[2])
	in := r.in
	r.along = make([]int64, r.a.frags.restY*in.k)
	am, bm, cm := make([]int32, in.m*in.k), make([]int32, in.n*in.k), make([]int32, in.m*in.n)
	err := r.issues(func(i issue) error {
		in.a.place(&r.a.frags, am, share{i.gm, 0, i.m, i.k})
		in.b.place(&r.b.frags, bm, share{i.gn, 0, i.n, i.k})
		in.c.place(&r.c, cm, share{i.gm, i.gn, i.m, i.n})
		for n := range in.n {
			for m := range in.m {
				row, column := int64(cm[m+n*in.m])%tile[0], int64(cm[m+n*in.m])/tile[0]
				for k := range in.k {
					a, b := int64(am[m+k*in.m]), int64(bm[n+k*in.n])
					if a%tile[0] != row || b%tile[1] != column || a/tile[0] != b/tile[1] {
						return &cute.Error{
							Code: cute.CodeNotCongruent, Op: "gemm",
							Msg: fmt.Sprintf("an instruction multiplies A(%d,%d) by B(%d,%d) for C(%d,%d)", a%tile[0], a/tile[0], b%tile[1],
								b/tile[1], row, column),
						}
					}
					r.along[i.k*in.k+k] = a / tile[0]
					if at := row + tile[0]*(column+tile[1]*(a/tile[0])); times[at] < math.MaxUint8 {
						times[at]++
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	least, most := times[0], times[0]
	for _, n := range times {
		least, most = min(least, n), max(most, n)
	}
	r.ledger.Times = [2]int64{int64(least), int64(most)}
	if least != 1 || most != 1 {
		return &cute.Error{
			Code: cute.CodeNotInjective, Op: "gemm", Msg: fmt.Sprintf("products are added %d to %d times, not once", least, most),
		}
	}
	return nil
}

// place returns the element of the tile that each element of an instruction's matrix is.
func (o *operand) place(s *spread, matrix []int32, p share) {
	for t := range min(o.threads, s.threads[0]) {
		for v := range o.values {
			matrix[o.index[t*o.values+v]] = s.at(p, t, v)
		}
	}
}

// tile computes the tile of D at (m,n).
func (r *run) tile(m, n int64) error {
	if err := r.start(m, n); err != nil {
		return err
	}
	a, b := entries{r.p.A, r.p.M, r.p.K}, entries{r.p.B, r.p.N, r.p.K}
	for k := int64(0); k < r.p.K; k += r.k.Tile[2] {
		if err := r.a.fill(a, m, k); err != nil {
			return err
		}
		if err := r.b.fill(b, n, k); err != nil {
			return err
		}
		if err := r.a.read(); err != nil {
			return err
		}
		if err := r.b.read(); err != nil {
			return err
		}
		r.left = r.p.K - k
		if err := r.issues(r.multiply); err != nil {
			return err
		}
		full := min(r.k.Tile[0], r.p.M-m) * min(r.k.Tile[1], r.p.N-n) * min(r.k.Tile[2], r.p.K-k)
		r.ledger.Useful += full
	}
	return r.store(m, n)
}

// inside calls f with every accumulator of an element of D and its place in D.
func (r *run) inside(m, n int64, f func(register, at int) error) error {
	return r.threads.eachThread(atom.OperandC, &r.c, func(thread, v int, element int32) error {
		i, j := m+int64(element)%r.k.Tile[0], n+int64(element)/r.k.Tile[0]
		if i >= r.p.M || j >= r.p.N {
			return nil
		}
		return f(thread*r.c.values+v, int(i*r.p.N+j))
	})
}

// start sets the accumulators to C.
func (r *run) start(m, n int64) error {
	clear(r.acc)
	if len(r.p.C) == 0 {
		return nil
	}
	return r.inside(m, n, func(register, at int) error {
		x, err := r.in.round(r.p.C[at])
		r.acc[register] = x
		return err
	})
}

// multiply executes one instruction. Products beyond the K of the problem are zero: they are only counted.
func (r *run) multiply(i issue) error {
	in := r.in
	r.ledger.Instructions++
	r.ledger.Products += int64(in.m * in.n * in.k)
	r.some = r.some[:0]
	for k, at := range r.along[i.k*in.k:][:in.k] {
		if at < r.left {
			r.some = append(r.some, k)
		}
	}
	if len(r.some) == 0 {
		return nil
	}
	operandOf := func(m *mover, gx, x int) func(t, v int) float64 {
		if m.regs == nil {
			return func(t, v int) float64 { return m.shared[m.offset[m.frags.at(share{gx, 0, x, i.k}, t, v)]] }
		}
		return func(t, v int) float64 {
			return m.regs[r.threads.at(t, i.gm, i.gn)*m.frags.values+v+m.frags.firstV*(x+m.frags.restX*i.k)]
		}
	}
	return in.execute(fragment{
		a: operandOf(r.a, i.gm, i.m), b: operandOf(r.b, i.gn, i.n),
		c: func(t, v int) *float64 {
			return &r.acc[r.threads.at(t, i.gm, i.gn)*r.c.values+v+r.c.firstV*(i.m+r.c.restX*i.n)]
		},
	}, r.some)
}

// store writes the accumulators to D.
func (r *run) store(m, n int64) error {
	return r.inside(m, n, func(register, at int) error {
		r.d[at] = r.acc[register]
		return nil
	})
}

func (r *run) result() Result {
	for _, m := range []*mover{r.a, r.b} {
		for _, s := range m.stages {
			r.ledger.Stages = append(r.ledger.Stages, *s)
		}
	}
	r.ledger.Stages = append(r.ledger.Stages, Stage{
		Name: "registers to global, D", Operation: "predicated stores", VectorBits: r.in.mma.Types.D.Type.Bits(),
		Bytes: r.p.M * r.p.N * int64(r.in.mma.Types.D.Type.Bits()) / 8,
	})
	return Result{D: r.d, Ledger: r.ledger}
}
