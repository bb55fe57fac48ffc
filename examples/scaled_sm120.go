package examples

// This file is the kernel mma_scale_sm120, after CUTLASS's examples/79_blackwell_geforce_gemm: products of 4-bit floats
// with a factor for each 16 elements along K, by mma.sync of sm_120a. To use it elsewhere, copy this file and
// sgemm_sm80.go, which has the swizzle, and change the name of their package; then
//
//	k, err := scaledSM120{Tile: []int64{128, 128, 128}, Div: 1, Stages: 3}.trace("gemm")
//
// makes the kernel, and k.Module is its PTX: C[i,j] = Σ A[i,l]·SFA[i,l/16]·B[j,l]·SFB[j,l/16], with the tensors of
// nvf4_sm100. It is sgemm_sm80, which should be read first, for elements of 4 bits, and with factors: cp.async brings
// both as bytes into a ring of stages, ldmatrix reads A and B, and a thread loads the words with its factors.
//
// New are
//
//	Recast                   bytes that cp.async copies are elements of 4 bits for ldmatrix and mma.sync
//	PartitionSFA, ZipSF      the factors that an instruction takes from a thread
//
// The blocks of factors in shared memory, seen as (row,factor), are partitioned as A is: nothing computes which lanes
// pass which factors.

import (
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A scaledSM120 is the parameters of mma_scale_sm120.
type scaledSM120 struct {
	Tile   []int64 // rows of A and of B, multiples of 128, and columns of both, 128 or 256, of a step of a block
	Div    int64   // what divides m and n; 32 divides k
	Stages int64   // the stages of the ring, at least 2
}

// scaledSM120Parts is what does not depend on the kernel.
type scaledSM120Parts struct {
	load, factors, readA, readB atom.TiledCopy
	mma                         atom.TiledMMA
	swizzle                     cute.Swizzle
}

// parts returns the tiled copies and the tiled MMA. It returns [cute.CodeNotDivisible] for a tile that they do not
// divide.
func (o scaledSM120) parts() (p scaledSM120Parts, err error) {
	if o.Tile[0]%128 != 0 || o.Tile[1]%128 != 0 || o.Tile[2] != 128 && o.Tile[2] != 256 {
		return p, &cute.Error{
			Code: cute.CodeNotDivisible, Op: "make_tiled_mma", Hint: "take a tile of 128,128,128",
			Msg: fmt.Sprintf("expected multiples of 128 rows, whole blocks of factors, and 128 or 256 columns, found %v", o.Tile),
		}
	}
	op := kernel.Must(atom.FindMMA("SM120_16x8x64_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,16>"))
	p.mma = kernel.Must(atom.MakeTiledMMA(op, cute.MustParse("(2,2,1):(1,2,0)"), cute.Ints(32, 32, 64)))
	matrices := kernel.Must(atom.FindCopyAtom("SM75_U32x4_LDSM_N", "float_e2m1_t"))
	p.readA, p.readB = kernel.Must(atom.MakeTiledCopyA(matrices, p.mma)), kernel.Must(atom.MakeTiledCopyB(matrices, p.mma))
	across := o.Tile[2] / 32 // 16 bytes each
	p.load = copyOfBytes("GLOBAL_ZFILL<uint128_t>", fmt.Sprintf("(%d,%d):(%[2]d,1)", 128/across, across), "(1,16):(0,1)")
	p.factors = copyOfBytes("ALWAYS_ZFILL<uint64_t>", "(64,2):(1,64)", "(8,1):(1,0)")
	rows := cute.MustParse(fmt.Sprintf("(32,%d):(%[1]d,1)", o.Tile[2]/2))
	p.swizzle, err = conflictFree(rows, 8, "ldmatrix.x4", "st.128")
	return p, err
}

// copyOfBytes returns a tiled copy with cp.async.
func copyOfBytes(name, threads, values string) atom.TiledCopy {
	c := kernel.Must(atom.FindCopyAtom("SM80_CP_ASYNC_CACHE"+name, "uint8_t"))
	return kernel.Must(atom.MakeTiledCopy(c, cute.MustParse(threads), cute.MustParse(values)))
}

// A scaledSM120Side is A or B with its factors.
type scaledSM120Side struct {
	read         atom.TiledCopy
	from, to     kernel.Tensor // (CPY,CPY_M,CPY_K,k), (CPY,CPY_M,CPY_K,PIPE)
	sfFrom, sfTo kernel.Tensor // the same for the factors
	s, sf        kernel.Tensor // (rows,BK,PIPE), (row,factor,PIPE)
	registers    kernel.Tensor // (MMA,MMA_M,MMA_K)
	factors      kernel.Tensor // (MMA,MMA_M,MMA_K)
	partitionSF  func(kernel.Tensor) kernel.Tensor
}

// A scaledSM120Block is a block of the kernel.
type scaledSM120Block struct {
	scaledSM120
	scaledSM120Parts
	k    *kernel.K
	thr  kernel.ThrMMA
	tCrC kernel.Tensor
	a, b scaledSM120Side
}

// trace returns the kernel.
func (o scaledSM120) trace(name string) (*kernel.Kernel, error) {
	p, err := o.parts()
	if err != nil {
		return nil, err
	}
	facts := symbolic.Facts{Min: 1, Max: 1 << 20, Div: o.Div}
	return kernel.Trace(name, 128, func(k *kernel.K) {
		m, n := k.Int("m", facts), k.Int("n", facts)
		facts.Div = max(facts.Div, 32) // rows of multiples of 16 bytes
		depth, one := k.Int("k", facts), kernel.Int(1)
		x := scaledSM120Block{scaledSM120: o, scaledSM120Parts: p, k: k}
		k.Grid(m.CeilDiv(o.Tile[0]), n.CeilDiv(o.Tile[1]))
		x.thr = k.ThrMMA(p.mma, k.ThreadIdx())
		x.a, x.b = x.side(atom.OperandA, m, depth), x.side(atom.OperandB, n, depth)
		mC := k.Global("C", dtype.F32, kernel.Modes(m, n), n, one)
		tCgC := x.thr.PartitionC(k.LocalTile(mC, o.Tile[:2], k.BlockIdx(0), k.BlockIdx(1)))
		x.tCrC = x.thr.MakeFragmentC(tCgC)
		k.Clear(x.tCrC)
		x.multiply()
		k.CopyIf(x.tCrC, tCgC)
	})
}

// side declares A or B, and partitions it.
func (x *scaledSM120Block) side(o atom.Operand, m, depth kernel.Index) (y scaledSM120Side) {
	k, all, zero, name, at, rows, thr := x.k, kernel.Open, kernel.Int(0), o.String(), x.k.BlockIdx(0), x.Tile[0], x.thr
	partition, fragment, fragmentSF := thr.PartitionA, thr.MakeFragmentA, thr.MakeFragmentSFA
	y.read, y.partitionSF = x.readA, thr.PartitionSFA
	if o == atom.OperandB {
		partition, fragment, fragmentSF = thr.PartitionB, thr.MakeFragmentB, thr.MakeFragmentSFB
		y.read, y.partitionSF = x.readB, thr.PartitionSFB
		at, rows = k.BlockIdx(1), x.Tile[1]
	}
	bytes, blocks := x.Tile[2]/2, x.Tile[2]/64
	g := k.Global(name, dtype.U8, kernel.Modes(m, depth.Div(2)), depth.Div(2), kernel.Int(1))
	stages := fmt.Sprintf("%v o 0 o (%d,%d,%d):(%[3]d,1,%[5]d)", x.swizzle, rows, bytes, x.Stages, rows*bytes)
	s := k.Shared("s"+name, dtype.U8, cute.MustParseComposed(stages))
	cp := k.ThrCopy(x.load, k.ThreadIdx())
	y.from, y.to = cp.PartitionS(k.LocalTile(g, kernel.Shape(rows, bytes), at, all)), cp.PartitionD(s)
	y.s = k.Recast(s, dtype.E2M1)
	y.registers = fragment(partition(k.Slice(y.s, all, all, zero)))

	along := depth.CeilDiv(64)
	gSF := k.Global("SF"+name, dtype.U8, kernel.Modes(kernel.Int(512), along, m.CeilDiv(128)),
		kernel.Int(1), kernel.Int(512), along.Mul(kernel.Int(512)))
	sSF := k.Shared("sSF"+name, dtype.U8, cute.MustParse(fmt.Sprintf("(512,%d,%d,%d)", blocks, rows/128, x.Stages)))
	cp = k.ThrCopy(x.factors, k.ThreadIdx())
	y.sfFrom = cp.PartitionS(k.LocalTile(gSF, kernel.Shape(512, blocks, rows/128), zero, all, at)) // (CPY,1,.,.,k)
	y.sfTo = cp.PartitionD(sSF)
	factors := fmt.Sprintf("((32,4,%d),(4,%d),%d):((16,4,%d),(1,512),%d)", rows/128, blocks, x.Stages, 512*blocks,
		4*rows*blocks)
	y.sf = k.View(k.Recast(sSF, dtype.UE4M3), zero, cute.MustParse(factors))
	y.factors = fragmentSF(y.partitionSF(k.Slice(y.sf, all, all, zero)))
	return y
}

// multiply multiplies all tiles.
func (x *scaledSM120Block) multiply() {
	k, all, stages, zero, tid := x.k, kernel.Open, x.Stages, kernel.Int(0), x.k.ThreadIdx()
	fetch := func(i kernel.Index) {
		for _, y := range []scaledSM120Side{x.a, x.b} {
			k.CopyTiled(x.load, k.Slice(y.from, all, all, all, i), k.Slice(y.to, all, all, all, i.Mod(stages)))
			k.CopyTiled(x.factors, k.Slice(y.sfFrom, all, all, all, all, i), k.Slice(y.sfTo, all, all, all, all, i.Mod(stages)))
		}
		k.CpAsyncFence()
	}
	for i := range stages - 1 {
		fetch(kernel.Int(i)) // after the last tile, this copies zeros
	}
	k.For(zero, x.a.from.Extent(3), func(i kernel.Index) {
		k.CpAsyncWait(stages - 2) // this tile has come
		k.Sync()                  // for all threads, and all have read the tile before
		fetch(i.Add(kernel.Int(stages - 1)))
		stage := i.Mod(stages)
		for _, y := range []scaledSM120Side{x.a, x.b} {
			k.Copy(y.partitionSF(k.Slice(y.sf, all, all, stage)), y.factors)
		}
		for block := range x.Tile[2] / 64 {
			at := kernel.Int(block)
			operand := func(y scaledSM120Side) kernel.Tensor {
				ld := k.ThrCopy(y.read, tid)
				to := ld.RetileD(y.registers)
				k.CopyTiled(y.read, k.Slice(ld.PartitionS(k.Slice(y.s, all, all, stage)), all, all, at), k.Slice(to, all, all, at))
				return k.ZipSF(k.Slice(y.registers, all, all, at), k.Slice(y.factors, all, all, at))
			}
			k.GemmTiled(x.mma, operand(x.a), operand(x.b), x.tCrC)
		}
	})
}
