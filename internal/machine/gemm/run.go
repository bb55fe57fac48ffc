package gemm

import (
	"girih/banks"
	"girih/cute"
	"girih/internal/ints"
	"girih/tensor/tiled"
)

// A Problem is D = A·B + C with A of M by K, B of N by K, and C of M by N elements, each row by row: K is contiguous in
// A and B, N in C. The numbers are rounded to the element types first. A nil C is zero. A complex number is its two
// parts, but in C and D of GaussComplex the three sums of products.
type Problem struct {
	M, N, K int64
	A, B, C []float64
	// ScaleA and ScaleB are the factors of a block-scaled instruction, each for Scale.Vector elements along K. The last
	// factor of a row covers the elements that remain.
	ScaleA, ScaleB []float64
}

// A Result is what a kernel computes.
type Result struct {
	D      []float64 // M by N, row by row
	Ledger Ledger
}

// MaxWork is the largest number of multiplications that are simulated.
const MaxWork = 1 << 33

// Run computes the problem on the machine target, whose shared memory determines the ledger's costs. It returns
// [cute.CodeExtent] for operands of the wrong length, [cute.CodeLimit] above [MaxWork] multiplications,
// [cute.CodeOverflow] for a number that its type cannot hold, [cute.CodeNotInvertible] if a copy does not deliver the
// operands of the instruction, and the errors of the partitions.
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
	r.ledger.Tiles = [3]int64{
		ints.CeilDiv(p.M, k.Tile[0]), ints.CeilDiv(p.N, k.Tile[1]), ints.CeilDiv(p.K, k.Tile[2]),
	}
	if err := r.allTiles(); err != nil {
		return Result{}, err
	}
	return r.result(), nil
}

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

// checkSize refuses extents below 1, and those whose product exceeds 2^50.
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

// checkParts checks the lengths of A, B and C, whose elements have the given numbers of parts.
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

// checkResult refuses a D that does not have M·N numbers.
func (p *Problem) checkResult(d []float64) error {
	if int64(len(d)) != p.M*p.N {
		return refuse(cute.CodeExtent, "expected %d numbers in D, found %d", p.M*p.N, len(d))
	}
	return nil
}

// A run executes a kernel tile by tile. Package tiled multiplies a tile: by the layouts of the instruction, it finds
// the elements of A and B in shared memory, and the elements of C among the accumulators.
type run struct {
	k       *Kernel
	p       *Problem
	a, b    *mover
	acc     []float64 // the accumulators of a tile, row by row
	product *tiled.Product
	sum     sum
	d       []float64
	ledger  Ledger
}

// newRun plans a kernel for problems of any size.
func newRun(k *Kernel, target banks.Target) (*run, error) {
	r := &run{k: k}
	if err := k.checkTile(); err != nil {
		return nil, err
	}
	m := k.MMA.Atom()
	if err := checkSimulated(m); err != nil {
		return nil, err
	}
	if err := k.checkAlongK(); err != nil {
		return nil, err
	}
	sides := k.sides()
	var err error
	if r.a, err = newMover(k, sides[0], target); err != nil {
		return nil, err
	}
	if r.b, err = newMover(k, sides[1], target); err != nil {
		return nil, err
	}
	r.ledger.Threads = k.Threads()
	c, err := cute.New(cute.Ints(k.Tile[0], k.Tile[1]), cute.Ints(k.Tile[1], 1))
	if err != nil {
		return nil, err
	}
	if r.product, err = tiled.NewProduct(k.MMA, k.SharedA, k.SharedB, c); err != nil {
		return nil, err
	}
	r.acc = make([]float64, c.Size())
	along, times, err := r.trace()
	r.ledger.Times = times
	r.sum = sum{along: along, round: roundingOf(m.Types.C.Type), product: productOf(m)}
	return r, err
}

// multiply multiplies the tiles in shared memory, and adds to the accumulators.
func (r *run) multiply(by tiled.Adder) error { return r.product.Run(by, r.a.memory, r.b.memory, r.acc) }

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

// tile computes the tile of D at (m,n).
func (r *run) tile(m, n int64) error {
	if err := r.start(m, n); err != nil {
		return err
	}
	a, b := entries{r.p.A, r.p.M, r.p.K}, entries{r.p.B, r.p.N, r.p.K}
	tile, shape := r.k.Tile, r.k.MMA.Atom().Shape
	products := tile[0] * tile[1] * tile[2]
	for k := int64(0); k < r.p.K; k += tile[2] {
		if err := r.a.fill(a, m, k); err != nil {
			return err
		}
		if err := r.b.fill(b, n, k); err != nil {
			return err
		}
		r.a.read()
		r.b.read()
		r.sum.left = r.p.K - k
		if err := r.multiply(&r.sum); err != nil {
			return err
		}
		r.ledger.Products += products
		r.ledger.Instructions += products / (shape[0] * shape[1] * shape[2])
		r.ledger.Useful += min(tile[0], r.p.M-m) * min(tile[1], r.p.N-n) * min(tile[2], r.p.K-k)
	}
	r.eachRow(m, n, func(acc []float64, at int64) { copy(r.d[at:], acc) })
	return nil
}

// eachRow calls f with the accumulators of every row of the tile at (m,n), as far as they are inside the problem, and
// with the place of the first of them in D.
func (r *run) eachRow(m, n int64, f func(acc []float64, at int64)) {
	columns := min(r.k.Tile[1], r.p.N-n)
	for i := range min(r.k.Tile[0], r.p.M-m) {
		f(r.acc[i*r.k.Tile[1]:][:columns], (m+i)*r.p.N+n)
	}
}

// start sets the accumulators to C.
func (r *run) start(m, n int64) (err error) {
	clear(r.acc)
	if len(r.p.C) == 0 {
		return nil
	}
	r.eachRow(m, n, func(acc []float64, at int64) {
		for j := range acc {
			x, e := r.sum.round(r.p.C[at+int64(j)])
			if e != nil && err == nil {
				err = e
			}
			acc[j] = x
		}
	})
	return err
}

func (r *run) result() Result {
	for _, m := range []*mover{r.a, r.b} {
		for _, s := range m.stages {
			r.ledger.Stages = append(r.ledger.Stages, *s)
		}
	}
	bits := r.k.MMA.Atom().Types.D.Type.Bits()
	r.ledger.Stages = append(r.ledger.Stages, Stage{
		Name: "registers to global, D", Operation: "predicated stores", VectorBits: bits,
		Bytes: r.p.M * r.p.N * int64(bits) / 8,
	})
	return Result{D: r.d, Ledger: r.ledger}
}
