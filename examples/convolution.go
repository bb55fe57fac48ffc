package examples

// This file is the kernel convolution: an implicit gemm, which convolves images as a product of matrices on tensor
// cores and never has the matrices in memory. It is complete. To use it elsewhere, copy the file and change the name of
// its package; then
//
//	k, err := convolution{Tile: []int64{128, 64}, Type: dtype.F16, Div: 8}.trace()
//
// makes the kernel, and k.Module is its PTX. For images x of (n,h,w,c), filters f of (k,r,s,c) and y of (n,p,q,k) it
// computes y[n,p,q,k] = Σ x[n, p·stride + r·dilation - padding, q·stride + s·dilation - padding, c]·f[k,r,s,c], where x
// is 0 outside of an image. The caller chooses p and q, the size of y.
//
// The matrices are A of (n·p·q, r·s·c), B of (k, r·s·c) and C of (n·p·q, k). Quotients say which element of x is an
// element of A: the number of a row is split into n, p and q, once for each of a thread's rows; the number of a column
// is split into r, s and c, once in each tile. Neighbours along c are neighbours in memory, 8 of them if 8 divides c.
//
//	row.DivMod(b.p.Mul(b.q))   the parts of a flattened number; the divisors are known when the kernel runs
//	image.Min(b.n)             rows after the last one are in image n, which CopyIf leaves out as it is outside of x
//	h.AtLeast(zero)            the bound that CopyIf does not have, because an extent is an upper bound
//
// Tiles go through registers, as in sgemm_sm70.go: the next tile is loaded while this one is multiplied.

import (
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A convolution is the parameters of convolution.
type convolution struct {
	Tile []int64    // rows of A and of B that a block multiplies at a time; the columns are 32
	Type dtype.Type // the type of all tensors: f16 or bf16
	Div  int64      // what divides c and k
}

// A convolutionBlock is what the steps of a block share.
type convolutionBlock struct {
	convolution
	k                  *kernel.K
	mma                atom.TiledMMA
	copy, readA, readB atom.TiledCopy
	x, f, y            kernel.Tensor
	n, p, q, dilation  kernel.Index
	places             []convolutionPlace // of the thread's rows of A
}

// A convolutionPlace is where the filters begin in an image for a row of A: above or left of it where there is padding.
type convolutionPlace struct{ image, top, left kernel.Index }

// parts makes copies and the tiled MMA. It is called in a trace, where Must returns errors to the caller of Trace.
func (b *convolutionBlock) parts() {
	find := func(name string) atom.CopyAtom { return kernel.Must(atom.FindCopyAtom(name, b.Type.CPP())) }
	op := kernel.Must(atom.FindMMA(map[dtype.Type]string{
		dtype.F16: "SM80_16x8x16_F32F16F16F32_TN", dtype.BF16: "SM80_16x8x16_F32BF16BF16F32_TN",
	}[b.Type]))
	b.mma = kernel.Must(atom.MakeTiledMMA(op, cute.MustParse("(2,2,1):(1,2,0)"), cute.Ints(32, 32, 16)))
	b.readA = kernel.Must(atom.MakeTiledCopyA(find("SM75_U32x4_LDSM_N"), b.mma))
	b.readB = kernel.Must(atom.MakeTiledCopyB(find("SM75_U32x4_LDSM_N"), b.mma))
	threads, eight := cute.MustParse("(32,4):(4,1)"), cute.MustParse("(1,8):(0,1)")
	b.copy = kernel.Must(atom.MakeTiledCopy(find("UniversalCopy<uint128_t>"), threads, eight))
}

// position splits the number of a row of A and C.
func (b *convolutionBlock) position(row kernel.Index) (image, p, q kernel.Index) {
	image, place := row.DivMod(b.p.Mul(b.q))
	p, q = place.DivMod(b.q)
	return image.Min(b.n), p, q
}

// rows returns the elements of a thread in a tile of A or B with 32 columns: 8 neighbours in every 32nd row.
func (b *convolutionBlock) rows(tile int64) kernel.Tensor {
	return b.k.MakeFragment(b.Type, cute.MustParse(fmt.Sprintf("(8,%d)", tile/32)))
}

// fetch loads a tile of A and of B into registers. Neighbours are loaded together if their number divides c.
func (b *convolutionBlock) fetch(tile kernel.Index, rA, rB kernel.Tensor) {
	k, zero, all, each := b.k, kernel.Int(0), kernel.Open, int64(8)
	for b.Div%each != 0 {
		each /= 2
	}
	c, r, s := b.f.Extent(3), b.f.Extent(1), b.f.Extent(2)
	k.Clear(rA)
	k.Clear(rB)
	for v := range 8 / each {
		column := tile.Mul(kernel.Int(32)).Add(k.ThreadIdx().Mod(4).Mul(kernel.Int(8))).Div(each).Add(kernel.Int(v))
		filter, channel := column.DivMod(c.Div(each))
		i, j := filter.DivMod(s)
		i = i.Min(r)
		put := func(from, to kernel.Tensor, row int64) {
			to = k.LocalTile(k.Slice(to, all, kernel.Int(row)), kernel.Shape(each), kernel.Int(v))
			k.CopyIf(k.LocalTile(from, kernel.Shape(each), channel), to)
		}
		k.If(i.Less(r), func() {
			for row, a := range b.places {
				h, w := a.top.Add(i.Mul(b.dilation)), a.left.Add(j.Mul(b.dilation))
				k.If(h.AtLeast(zero).And(w.AtLeast(zero)), func() { put(k.Slice(b.x, a.image, h, w, all), rA, int64(row)) })
			}
			for row := range b.Tile[1] / 32 {
				put(k.Slice(b.f, b.row(1, 32*row, 4), i, j, all), rB, row)
			}
		})
	}
}

// declare declares numbers and tensors, and finds the places of the thread's rows.
func (b *convolutionBlock) declare() {
	k, one := b.k, kernel.Int(1)
	number := func(name string, most, div int64) kernel.Index {
		return k.Int(name, symbolic.Facts{Min: 1, Max: most, Div: div})
	}
	n, h, w, c := number("n", 1<<10, 1), number("h", 1<<10, 1), number("w", 1<<10, 1), number("c", 1<<20, b.Div)
	filters, r, s := number("k", 1<<20, b.Div), number("r", 32, 1), number("s", 32, 1)
	p, q := number("p", 1<<10, 1), number("q", 1<<10, 1)
	images := func(name string, n, h, w, c kernel.Index) kernel.Tensor { // the last mode is contiguous
		return k.Global(name, b.Type, kernel.Modes(n, h, w, c), h.Mul(w).Mul(c), w.Mul(c), c, one)
	}
	b.x, b.f, b.y = images("x", n, h, w, c), images("f", filters, r, s, c), images("y", n, p, q, filters)
	stride, padding := number("stride", 64, 1), k.Int("padding", symbolic.Facts{Max: 1 << 10})
	b.n, b.p, b.q, b.dilation = n, p, q, number("dilation", 64, 1)
	k.Grid(n.Mul(p).Mul(q).CeilDiv(b.Tile[0]), filters.CeilDiv(b.Tile[1]))
	for row := range b.Tile[0] / 32 {
		image, p, q := b.position(b.row(0, 32*row, 4))
		b.places = append(b.places, convolutionPlace{image, p.Mul(stride).Sub(padding), q.Mul(stride).Sub(padding)})
	}
}

// row returns the thread's row in A, or in B for mode 1, where neighbouring threads share a row and the first thread
// has a given row of the block.
func (b *convolutionBlock) row(mode int, first, threads int64) kernel.Index {
	return b.k.BlockIdx(mode).Mul(kernel.Int(b.Tile[mode])).Add(kernel.Int(first)).Add(b.k.ThreadIdx().Div(threads))
}

// trace returns the kernel. It returns [cute.CodeNotDivisible] for a tile that the instructions do not divide.
func (o convolution) trace() (*kernel.Kernel, error) {
	bm, bn := o.Tile[0], o.Tile[1]
	if bm%32 != 0 || bn != 64 && bn != 128 {
		return nil, &cute.Error{
			Code: cute.CodeNotDivisible, Op: "convolution",
			Msg:  fmt.Sprintf("expected a multiple of 32 rows, and 64 or 128 filters, found a tile %v", o.Tile),
			Hint: "take a tile of 128,64",
		}
	}
	return kernel.Trace("convolution", 128, func(k *kernel.K) {
		zero, one, all, tid := kernel.Int(0), kernel.Int(1), kernel.Open, k.ThreadIdx()
		b := convolutionBlock{convolution: o, k: k}
		b.parts()
		b.declare()
		shared := func(name string, rows int64) kernel.Tensor { // (rows,32,PIPE)
			const stages = "Sw<2,3,3> o 0 o (%d,32,2):(32,1,%d)"
			return k.Shared(name, o.Type, cute.MustParseComposed(fmt.Sprintf(stages, rows, 32*rows)))
		}
		sA, sB := shared("sA", bm), shared("sB", bn)

		cp, thr := k.ThrCopy(b.copy, tid), k.ThrMMA(b.mma, tid)
		tAsA, tBsB, rA, rB := cp.PartitionD(sA), cp.PartitionD(sB), b.rows(bm), b.rows(bn)
		tCrA := thr.MakeFragmentA(thr.PartitionA(k.Slice(sA, all, all, zero))) // (MMA,MMA_M,MMA_K)
		tCrB := thr.MakeFragmentB(thr.PartitionB(k.Slice(sB, all, all, zero)))
		tCrC := k.MakeFragment(dtype.F32, cute.MustParse(fmt.Sprintf("((2,2),%d,%d)", bm/32, bn/16)))
		ldA, ldB := k.ThrCopy(b.readA, tid), k.ThrCopy(b.readB, tid)
		tXsA, tXsB := ldA.PartitionS(sA), ldB.PartitionS(sB) // (CPY,CPY_M,CPY_K,PIPE)
		k.Clear(tCrC)
		load := func(stage kernel.Index) {
			k.Copy(rA, k.Slice(tAsA, all, all, zero, stage))
			k.Copy(rB, k.Slice(tBsB, all, all, zero, stage))
			k.Sync()
		}
		b.fetch(zero, rA, rB)
		load(zero)
		k.For(zero, b.f.Extent(1).Mul(b.f.Extent(2)).Mul(b.f.Extent(3)).CeilDiv(32), func(i kernel.Index) {
			b.fetch(i.Add(one), rA, rB)
			k.CopyTiled(b.readA, k.Slice(tXsA, all, all, all, i.Mod(2)), ldA.RetileD(tCrA))
			k.CopyTiled(b.readB, k.Slice(tXsB, all, all, all, i.Mod(2)), ldB.RetileD(tCrB))
			k.GemmTiled(b.mma, tCrA, tCrB, tCrC)
			load(i.Add(one).Mod(2)) // all threads have read this stage in the last iteration
		})
		b.writeOut(tCrC)
	})
}

// writeOut rounds the sums, and writes them through shared memory, 8 neighbours of a row at a time.
func (b *convolutionBlock) writeOut(c kernel.Tensor) {
	const tile = "Sw<3,3,%d> o 0 o (%d,%d):(%[3]d,1)"
	k, all, bm, bn := b.k, kernel.Open, b.Tile[0], b.Tile[1]
	s := k.Shared("sC", b.Type, cute.MustParseComposed(fmt.Sprintf(tile, 2+bn/64, bm, bn)))
	rounded := k.MakeFragmentLike(c, b.Type)
	k.Convert(c, rounded)
	k.Copy(rounded, k.ThrMMA(b.mma, k.ThreadIdx()).PartitionC(s))
	k.Sync()
	threads := bn / 8 // of a row
	own := func(row kernel.Tensor) kernel.Tensor {
		return k.LocalTile(row, kernel.Shape(8), k.ThreadIdx().Mod(threads))
	}
	for first := int64(0); first < bm; first += 128 / threads {
		from := own(k.Slice(s, k.ThreadIdx().Div(threads).Add(kernel.Int(first)), all))
		image, p, q := b.position(b.row(0, first, threads))
		k.CopyIf(from, own(k.LocalTile(k.Slice(b.y, image, p, q, all), kernel.Shape(bn), k.BlockIdx(1))))
	}
}
