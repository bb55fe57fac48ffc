package tensor

import (
	"girih/atom"
	"girih/cute"
)

// CooperativeCopy does the work of thread tid of the given number of threads in a cooperative copy (CuTe's
// cooperative_copy<NumThreads, MaxVecBits>): it copies every threads-th vector, beginning with vector tid. When all
// threads have run, in any order or at once, dst(i) = src(i) for every i, and each element was copied by one thread.
//
// Vectors are runs that are contiguous in both tensors ([MaxCommonVector]). Vectors are at most maxBits wide, and
// narrow enough that every thread has at least one vector, because more threads are better than wider vectors.
// CooperativeCopy returns the number of elements of a vector.
//
// It returns [cute.CodeMode] unless 0 <= tid < threads, [cute.CodeExtent] for no threads or vectors below one element,
// [cute.CodeNotInjective] if src and dst share memory, because threads do not wait for each other, and the errors of
// [Copy].
func CooperativeCopy[T any](threads, tid int, maxBits int, src, dst Tensor[T]) (vector int64, err error) {
	const op = "cooperative_copy"
	if src.v == nil {
		return 0, missing(op, src.eng)
	}
	src = src.flat()
	s, d := src.operand(), dst
	if err := writable(op, dst, s); err != nil {
		return 0, err
	}
	if err := checkThread(op, threads, tid); err != nil {
		return 0, err
	}
	if err := checkUnpadded(op, s, d.operand()); err != nil {
		return 0, err
	}
	if overlaps(s, d.operand()) {
		return 0, refuse(op, cute.CodeNotInjective,
			"source and destination share memory, and threads do not wait for each other: %v and %v", src, dst)
	}
	if maxBits < dst.Bits() {
		return 0, refuse(op, cute.CodeExtent, "expected vectors of at least one element of %d bits, found %d bits",
			dst.Bits(), maxBits)
	}
	p, paired := pairUp(src.v, dst.v)
	if paired = paired && p.rest[0] == nil; paired {
		p.arrange()
	}
	if !paired || !p.injective() {
		if _, err := single(op, dst.v, nil, s); err != nil {
			return 0, err
		}
	}
	vector = 1
	if paired {
		vector = vectorOf(p.run, int64(maxBits/max(1, dst.Bits())), src.Size()/int64(threads))
	}
	if !paired {
		each(src.Size(), threads, tid, func(i int64) {
			x, _ := src.v.at(i)
			y, _ := dst.v.at(i)
			dst.eng.set(y, src.eng.get(x))
		})
		return vector, nil
	}
	p.vectors(vector, threads, tid, func(x, y int64) {
		for k := range vector {
			dst.eng.set(y+k, src.eng.get(x+k))
		}
	})
	return vector, nil
}

// vectorOf returns the largest power of two that divides the run, up to the limits of one access and of one thread's
// share.
func vectorOf(run, most, share int64) int64 {
	v := run & -run
	for v > 1 && (v > most || v > share) {
		v /= 2
	}
	return v
}

// vectors calls f with the positions of every threads-th vector, beginning with vector tid.
func (p *commonLoops) vectors(vector int64, threads, tid int, f func(s, d int64)) {
	modes := append([]copyMode{{p.run / vector, vector, vector}}, p.modes...)
	table := p.table
	if table == nil {
		table = []place{{}}
	}
	n := int64(len(table))
	for _, m := range modes {
		n *= m.n
	}
	each(n, threads, tid, func(i int64) {
		s, d := p.from.s, p.from.d
		for _, m := range modes {
			s += i % m.n * m.s
			d += i % m.n * m.d
			i /= m.n
		}
		f(p.src.apply(s+table[i].s), p.dst.apply(d+table[i].d))
	})
}

// each calls f with the numbers below n that belong to the thread.
func each(n int64, threads, tid int, f func(i int64)) {
	for i := int64(tid); i < n; i += int64(threads) {
		f(i)
	}
}

func checkThread(op string, threads, tid int) error {
	if threads < 1 {
		return refuse(op, cute.CodeExtent, "expected at least 1 thread, found %d", threads)
	}
	if tid < 0 || tid >= threads {
		return refuse(op, cute.CodeMode, "expected a thread from 0 to %d, found %d", threads-1, tid)
	}
	return nil
}

// CooperativeFill does the work of thread tid of the given number of threads in filling a tensor: it sets every
// threads-th element, beginning with element tid. Padding is not written. It returns the errors of [Fill], and the
// errors of [CooperativeCopy] about threads.
func CooperativeFill[T any](threads, tid int, t Tensor[T], x T) error {
	const op = "cooperative_fill"
	if err := writable(op, t); err != nil {
		return err
	}
	if err := checkThread(op, threads, tid); err != nil {
		return err
	}
	each(t.Size(), threads, tid, func(i int64) {
		if p, ok := t.v.at(i); ok {
			t.eng.set(p, x)
		}
	})
	return nil
}

// CooperativeGemm does one thread's work in C = alpha·A·Bᵀ + beta·C: it computes the elements of C that
// [Tensor.LocalPartition] gives to thread tid of the layout of threads, with k in order. A is (M,K), B is (N,K), C is
// (M,N). If the threads do not divide M or N, the last tiles are smaller. If beta is 0, C is not read.
//
// It returns the errors of [Gemm] about shapes and memory, and the errors of LocalPartition: [cute.CodeNotInvertible]
// for a thread that does not exist.
func CooperativeGemm[T Number](threads cute.Layout, tid int64, alpha T, a, b Tensor[T], beta T, c Tensor[T]) error {
	const op = "cooperative_gemm"
	if a.v == nil || b.v == nil || c.v == nil {
		return missing(op, a.eng, b.eng, c.eng)
	}
	if err := writable(op, c); err != nil {
		return err
	}
	if err := checkUnpadded(op, a.operand(), b.operand(), c.operand()); err != nil {
		return err
	}
	if a.Rank() != 2 || b.Rank() != 2 || c.Rank() != 2 || threads.Rank() != 2 {
		return refuse(op, cute.CodeRank,
			"expected A (M,K), B (N,K), C (M,N) and threads (TM,TN), found %v, %v, %v and %v", a.Shape(), b.Shape(),
			c.Shape(), threads)
	}
	g := product[T, T, T]{MulAdd[T](), c, a, b, c}
	if err := g.prepare(op, [4]int{2, 2, 2, 2}); err != nil {
		return err
	}
	all, err := indices(op, extent(a, 0), extent(b, 0))
	if err != nil {
		return err
	}
	mine, err := all.LocalPartition(threads, tid)
	if err != nil {
		return err
	}
	g.a, g.b, g.c = a.flat(), b.flat(), c
	for i := range mine.Values() {
		p, _ := c.v.at(i)
		sum := innerProduct(g, i)
		if beta == 0 {
			c.eng.set(p, alpha*sum)
		} else {
			c.eng.set(p, alpha*sum+beta*c.eng.get(p))
		}
	}
	return nil
}

// indices returns the indices of a matrix as elements of a storage, so that a partition knows which are padding.
func indices(op string, m, n int64) (Tensor[int64], error) {
	index, err := cute.LayoutLeft(cute.Ints(m, n))
	if err != nil {
		return Tensor[int64]{}, err
	}
	return newStored[int64](op, boundedIterator{n: m * n}, 0, index)
}

// innerProduct returns element i of A·Bᵀ, for A and B that are flat.
func innerProduct[T Number](g product[T, T, T], i int64) T {
	m, n := extent(g.c, 0), extent(g.c, 1)
	x, y := i%m, i/m
	var sum T
	for z := range g.a.Size() / m {
		p, _ := g.a.v.at(x + m*z)
		q, _ := g.b.v.at(y + n*z)
		sum += g.a.eng.get(p) * g.b.eng.get(q)
	}
	return sum
}

// A boundedIterator is a countingIterator with an upper bound.
type boundedIterator struct {
	countingIterator
	n int64
}

func (b boundedIterator) length() int64               { return b.n }
func (b boundedIterator) in(atom.Space) engine[int64] { return b }
