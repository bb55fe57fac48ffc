package tile

import (
	"fmt"
	"math/bits"

	"girih/cute"
)

// This file counts the columns of tensor memory that a product needs. An SM has 128 lanes by 512 columns of 32 bits for
// all its CTAs (PTX ISA, "Tensor Memory"). tcgen05.alloc allocates columns in powers of two, at least 32.
//
// An element of an accumulator takes 32 bits, even a 16-bit one (PTX ISA, tcgen05.mma, "Packing formats"). So a CTA's
// 128 rows need one column for each column of the tile, also in a pair of CTAs, which divides the rows. 64 rows need
//
//	alone        as many columns, and half of the lanes (layout F): two accumulators share the columns
//	in a pair    half as many, in all lanes (layout B)
//
// and 32 rows a quarter of the columns (tcgen05.mma.ws, layout G). Scale factors are bytes, four in a column; 32 rows
// are in the lanes of one warp, and the other warps have copies of them.

// TensorColumns is the number of columns of tensor memory of an SM that has it.
const TensorColumns = 512

const leastColumns = 32 // the fewest columns of one tcgen05.alloc

// A TensorMemory is the tensor memory that a CTA uses, in columns. It is zero on machines without tensor memory.
type TensorMemory struct {
	Accumulators int64 // the columns of all accumulators
	Scales       int64 // the columns of the scale factors of one stage
	Allocated    int64 // the columns that are allocated for both, a power of two
	Limit        int64 // the columns that each of the CTAs on an SM may have
}

// Columns returns the columns that are used.
func (m TensorMemory) Columns() int64 { return m.Accumulators + m.Scales }

// TensorMemory reports whether the machine has tensor memory.
func (t Target) TensorMemory() bool {
	return t.Name == "sm100" || t.Name == "sm103" || t.Name == "sm110"
}

// TensorMemory returns the columns of tensor memory that the product uses if the given number of CTAs share an SM. It
// returns [cute.CodeLimit] if there are too few columns, with the number of accumulators that fit as the hint, and the
// errors of [Gemm.Buffers].
func (g Gemm) TensorMemory(t Target, ctas int64) (TensorMemory, error) {
	const op = "budget"
	if err := g.check(); err != nil {
		return TensorMemory{}, err
	}
	if !t.TensorMemory() || g.AccStages == 0 {
		return TensorMemory{}, nil
	}
	limit := int64(TensorColumns)
	for limit*max(ctas, 1) > TensorColumns {
		limit /= 2 // halves, because allocations are powers of two
	}
	m := TensorMemory{Accumulators: g.accumulators(g.AccStages), Scales: g.scaleColumns(), Limit: limit}
	m.Allocated = max(int64(1)<<bits.Len64(uint64(m.Columns()-1)), leastColumns)
	if m.Allocated <= limit {
		return m, nil
	}
	err := fail(cute.CodeLimit, op, "expected at most %d columns of tensor memory on %s, found %d: %d accumulator(s) of %dx%d take %d",
		limit, t.Name, m.Columns(), g.AccStages, g.M, g.N, m.Accumulators)
	if m.Scales > 0 {
		err.Msg += fmt.Sprintf(", scale factors %d", m.Scales)
	}
	if m.Columns() <= limit {
		err.Msg += fmt.Sprintf(", and %d are allocated", m.Allocated)
	}
	if ctas > 1 {
		err.Msg += fmt.Sprintf(", of each of %d CTAs", ctas)
	}
	err.Hint = "a smaller tile: not one accumulator fits"
	for n := g.AccStages - 1; n > 0; n-- {
		if g.accumulators(n)+m.Scales <= limit {
			err.Hint = fmt.Sprintf("%d accumulator(s) fit", n)
			break
		}
	}
	return TensorMemory{}, err
}

// accumulators returns the columns of the given number of accumulators.
func (g Gemm) accumulators(stages int64) int64 {
	whole, rest := g.M/128, g.M%128
	columns := whole * stages * g.N
	switch {
	case rest == 0:
	case rest <= 32 && g.CTAGroup != 2:
		columns += stages * ((g.N + 3) / 4)
	case rest <= 64 && g.CTAGroup == 2:
		columns += stages * ((g.N + 1) / 2)
	case rest <= 64:
		columns += (stages + 1) / 2 * g.N
	default:
		columns += stages * g.N
	}
	return columns
}

// scaleColumns returns the columns of the scale factors of one stage.
func (g Gemm) scaleColumns() int64 {
	if g.ScaleVector == 0 {
		return 0
	}
	const rows = 32 // the rows of scale factors that a column holds
	deep := ((g.K+g.ScaleVector-1)/g.ScaleVector + scaleColumns - 1) / scaleColumns
	if g.CTAGroup == 2 && g.M <= 64 {
		return deep * ((g.M+rows-1)/rows + (g.N/2+rows-1)/rows) // the halves of B are in different lanes
	}
	blocks := (g.M+scaleRows-1)/scaleRows + (g.N+scaleRows-1)/scaleRows
	return deep * blocks * (scaleRows / rows)
}
