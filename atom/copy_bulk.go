package atom

import (
	"fmt"
	"strings"

	"girih/cute"
)

// This file defines the copies that a single thread starts and the copy engine performs: cp.async.bulk, and
// cp.async.bulk.tensor with a tensor map in global memory (TMA). All of them map every bit to itself, so a row of the
// table is a name and an instruction. The operations for a pair of CTAs have two "threads", the CTAs.

// A bulkRow is one operation. Some have a twin, which CuTe makes if it has the tensor map at run time.
type bulkRow struct {
	name string
	twin string // "_OP", "_PTR", or "" if there is no twin
	text string // operands as in CuTe's inline assembly; the TMA form has 2 coordinates, im2col 3
	note string
}

// These constants are common to the instructions.
const (
	load2     = "cp.async.bulk.tensor.2d.shared::cluster.global"
	load3     = "cp.async.bulk.tensor.3d.shared::cluster.global.im2col"
	pair2     = "cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global"
	pair3     = "cp.async.bulk.tensor.3d.im2col.cta_group::2.shared::cluster.global"
	store2    = "cp.async.bulk.tensor.2d.global.shared::cta"
	toBarrier = ".mbarrier::complete_tx::bytes"
	toSeveral = ".multicast::cluster"
	cacheHint = ".L2::cache_hint"
)

// Notes on operations.
const (
	intoL2       = "fetches into the L2 cache and writes nothing"
	toMask       = "to every CTA of the mask, a 16-bit operand"
	im2colFilter = "im2col: the second operand in braces has the offsets in the filter"
	fourOf       = "four rows, the last four coordinates"
	runTime      = "the same, with the tensor map given at run time"
)

var bulkRows = withTwins([]bulkRow{
	{"SM90_BULK_COPY_G2S", "", "cp.async.bulk.shared::cluster.global" + toBarrier + " [%0], [%1], %2, [%3]", ""},
	{"SM90_BULK_COPY_G2S::PREFETCH", "", "cp.async.bulk.prefetch.L2.global [%0], %1", intoL2},
	{"SM90_BULK_COPY_S2G", "", "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2", ""},
	{autoBulk, "", "one of the two others, for as many bytes as are contiguous", "one value of whatever type; cute::copy finds the size"},

	{"SM90_TMA_LOAD", "_OP", load2 + toBarrier + cacheHint + " [%0], [%1, {%3, %4}], [%2], %5", ""},
	{"SM90_TMA_LOAD::PREFETCH", "", "cp.async.bulk.prefetch.tensor.2d.L2.global [%0, {%1, %2}]", intoL2},
	{"SM90_TMA_LOAD_MULTICAST", "_OP", load2 + toBarrier + toSeveral + cacheHint + " [%0], [%1, {%4, %5}], [%2], %3, %6", toMask},
	{"SM90_TMA_STORE", "_PTR", store2 + ".bulk_group [%0, {%2, %3}], [%1]", ""},
	{"SM90_TMA_REDUCE_ADD", "", "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%0, {%2, %3}], [%1]", "adds to the values in memory"},
	{"SM90_TMA_LOAD_IM2COL", "_OP", load3 + toBarrier + " [%0], [%1, {%3, %4, %5}], [%2], {%6}", im2colFilter},
	{"SM90_TMA_LOAD_IM2COL::PREFETCH", "", "cp.async.bulk.prefetch.tensor.3d.L2.global.im2col [%0, {%1, %2, %3}], {%4}", intoL2},
	{"SM90_TMA_LOAD_IM2COL_MULTICAST", "_OP", load3 + toBarrier + toSeveral + " [%0], [%1, {%3, %4, %5}], [%2], {%6}, %7", im2colFilter + "; " + toMask},
	{"SM90_TMA_STORE_IM2COL", "", "cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [%0, {%2, %3, %4}], [%1]", ""},

	{"SM100_TMA_2SM_LOAD", "_OP", pair2 + toBarrier + cacheHint + " [%0], [%1, {%3, %4}], [%2], %5", ""},
	{"SM100_TMA_2SM_LOAD_MULTICAST", "_OP", pair2 + toBarrier + toSeveral + cacheHint + " [%0], [%1, {%4, %5}], [%2], %3, %6", toMask},
	{"SM100_TMA_2SM_LOAD_IM2COL", "_OP", pair3 + toBarrier + cacheHint + " [%0], [%1, {%3, %4, %5}], [%2], {%6}, %7", im2colFilter},
	{"SM100_TMA_2SM_LOAD_IM2COL_MULTICAST", "_OP", pair3 + toBarrier + toSeveral + cacheHint + " [%0], [%1, {%3, %4, %5}], [%2], {%6}, %7, %8", im2colFilter + "; " + toMask},
	{"SM100_TMA_LOAD_2D_GATHER4", "_OP", load2 + ".tile::gather4" + toBarrier + cacheHint + " [%0], [%1, {%3, %4, %5, %6, %7}], [%2], %8", fourOf},
	{"SM100_TMA_LOAD_2D_GATHER4_OP::PREFETCH", "", "cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4 [%0, {%1, %2, %3, %4, %5}]", intoL2},
	{"SM100_TMA_LOAD_MULTICAST_2D_GATHER4", "_OP", load2 + ".tile::gather4" + toBarrier + toSeveral + cacheHint + " [%0], [%1, {%4, %5, %6, %7, %8}], [%2], %3, %9", fourOf + "; " + toMask},
	{"SM100_TMA_STORE_2D_SCATTER4", "", store2 + ".tile::scatter4.bulk_group [%0, {%2, %3, %4, %5, %6}], [%1]", fourOf},
})

// autoBulk is the operation without a size of its own.
const autoBulk = "SM90_BULK_COPY_AUTO"

// withTwins puts the twin of a row after it.
func withTwins(rows []bulkRow) []bulkRow {
	var out []bulkRow
	for _, r := range rows {
		out = append(out, r)
		if r.twin != "" {
			out = append(out, bulkRow{r.name + r.twin, "", r.text, runTime})
		}
	}
	return out
}

// parse makes the instance of a row for a number of bits.
func (r bulkRow) parse(name string, args []string) (Copy, error) {
	bits, ok := integerArgument(args[0])
	if !ok || len(args) != 1 {
		return Copy{}, fail(cute.CodeType, opCopy, "%s takes the number of bits that one instruction moves, found %.40q",
			name, strings.Join(args, ","))
	}
	if bits < bulkBits || bits%bulkBits != 0 || bits > mostBulkBits {
		return Copy{}, fail(cute.CodeNotDivisible, opCopy,
			"%s moves multiples of 16 bytes, 128 bits, up to %d bits of shared memory: found %d", name, mostBulkBits, bits)
	}
	return r.copy(bits), nil
}

const (
	// bulkBits divides the sizes and addresses of bulk copies (PTX ISA, cp.async.bulk), and the inner extent of a TMA
	// box.
	bulkBits = 128
	// boxBits is the alignment of a box of TMA in shared memory, 128 bytes (PTX ISA, cp.async.bulk.tensor).
	boxBits = 1024
	// mostBulkBits is the shared memory of a multiprocessor, 228 KB on sm90 and sm100.
	mostBulkBits = 228 * 1024 * 8
)

// copy returns the instance for a number of bits; autoBulk has only one.
func (r bulkRow) copy(bits int64) Copy {
	c := Copy{
		Operation: Operation{Name: fmt.Sprintf("%s<%d>", r.name, bits), Arch: "sm90", Text: r.text + ";"},
		ThrID:     cute.MustParse("1:0"), Src: bitLayout("(1,%d):(0,1)", max(bits, 1)), Kind: TensorCopy, Note: r.note,
	}
	header, isa := "sm90_tma", "cp.async.bulk.tensor"
	side := func(s Space) CopySide { return CopySide{Space: s, Unit: bits, Count: 1, Align: bulkBits} }
	c.From, c.To = side(GlobalMemory), side(SharedMemory)
	if strings.HasPrefix(r.name, "SM100") {
		c.Arch, header = "sm100a", "sm100_tma"
	}
	if strings.Contains(r.name, "IM2COL") {
		header = strings.Replace(header, "tma", "im2col", 1)
	}
	if strings.Contains(r.name, "BULK") {
		c.Kind, isa = BulkCopy, "cp.async.bulk"
	} else {
		c.To.Align = boxBits
	}
	switch {
	case strings.HasSuffix(r.name, "::PREFETCH"):
		c.To = c.From
		isa = strings.Replace(isa, "bulk", "bulk.prefetch", 1)
	case strings.Contains(r.name, "STORE"), strings.HasSuffix(r.name, "S2G"), strings.Contains(r.name, "REDUCE"):
		c.From, c.To = c.To, c.From
	}
	switch {
	case strings.Contains(r.name, "_2SM_"):
		c.ThrID, c.Src = cute.MustParse("2:1"), bitLayout("(2,%d):(%d,1)", bits, bits)
	case r.name == autoBulk:
		c.Name, c.Text, c.Src = r.name, r.text, cute.MustParse("(1,1):(0,0)")
		c.From, c.To = CopySide{Space: Anywhere, Unit: 1, Count: 1, Align: 1},
			CopySide{Space: Anywhere, Unit: 1, Count: 1, Align: 1}
	}
	if strings.Contains(r.name, "REDUCE") {
		isa = strings.Replace(isa, "cp.async", "cp.reduce.async", 1)
	}
	c.Source = "CUTLASS include/cute/atom/copy_traits_" + header + ".hpp, PTX ISA " + isa
	c.Dst, c.Ref = c.Src, c.Src
	return c
}
