package device

import (
	"fmt"
	"slices"
	"strings"

	"girih/dtype"
	"girih/tensormap"
)

// This file writes im2col copies as code.

// Im2col writes the copy of a convolution in all languages that have a name for the type.
func (j TMA) Im2col(c tensormap.Convolution, p tensormap.Plan) []Code {
	var all []Code
	m := p.Map
	if t, err := dtype.Parse(j.Type); err == nil {
		w := convolutionWriter{c: c, m: m, t: t, share: max(j.Copy.Multicast, 1), slice: "0"}
		if w.share > 1 {
			w.slice = map[string]string{"A": "cluster_n", "B": "cluster_m"}[j.Operand]
		}
		if j.Open == nil {
			all = appendCode(all, CuTe, w.cpp())
		}
		all = appendCode(all, DSL, w.dsl())
	}
	return appendCode(all, CUDA, tmaCUDA(j, p))
}

// A convolutionWriter writes a convolution. CuTe orders all lists like the map, W first, and takes the corners
// unchanged from the map (include/cute/atom/copy_traits_sm90_im2col.hpp).
type convolutionWriter struct {
	c tensormap.Convolution
	m tensormap.Map
	t dtype.Type

	share int64  // the number of CTAs that each load a part of the pixels
	slice string // code for the number of the part
}

// lists are the arguments of make_im2col_tma_copy and make_im2col_tma_atom, by name.
func (w convolutionWriter) lists() (names []string, values [][]int64) {
	n := len(w.c.Filter)
	back := func(xs []int64, x int64) []int64 { // W first
		if xs == nil {
			return slices.Repeat([]int64{x}, n)
		}
		out := slices.Clone(xs)
		slices.Reverse(out)
		return out
	}
	lower := back(w.c.Lower, 0)
	upper := lower
	if w.c.Upper != nil {
		upper = back(w.c.Upper, 0)
	}
	names = []string{
		"lower_corner_whd", "upper_corner_whd", "lower_padding_whd", "upper_padding_whd", "stride_whd", "lower_srt", "stride_srt",
	}
	values = [][]int64{w.m.Lower, w.m.Upper, lower, upper, back(w.c.Stride, 1), back(nil, 0), back(w.c.Dilated, 1)}
	return names, values
}

// cpp writes it in CuTe C++.
func (w convolutionWriter) cpp() string {
	name := w.t.CPP()
	if name == "" {
		return ""
	}
	var strides []int64
	for _, s := range w.m.Strides {
		strides = append(strides, s*8/w.m.Type.Bits())
	}
	swizzle, _ := w.m.Swizzle.CuTe()
	pixels := w.m.Pixels * w.share
	shared := fmt.Sprintf("Layout<Shape<_%[1]d,_%[2]d>,Stride<_%[2]d,_1>>", pixels, w.m.Channels)
	if w.m.Swizzle != tensormap.SwizzleNone {
		shared = fmt.Sprintf("ComposedLayout<Swizzle<%d,%d,%d>, smem_ptr_flag_bits<sizeof_bits_v<%s>>, %s>", swizzle.B(),
			swizzle.M(),
			swizzle.S(), name, shared)
	}
	for _, n := range []int64{pixels, w.m.Channels} {
		if n&(n-1) != 0 {
			shared = strings.ReplaceAll(shared, fmt.Sprintf("_%d", n), fmt.Sprintf("Int<%d>", n))
		}
	}
	_, lists := w.lists()
	var args []string
	for _, xs := range lists {
		args = append(args, "make_shape("+commas(xs)+")")
	}
	out, filter := w.results()
	op, with := "SM90_TMA_LOAD_IM2COL{}", "mbar"
	if w.share > 1 {
		op, with = "SM90_TMA_LOAD_IM2COL_MULTICAST{}", "mbar, mask"
	}
	return fmt.Sprintf(`// host; (%[1]s)
Tensor gA = make_tensor(make_gmem_ptr<%[2]s>(ptr), make_layout(
    make_shape(make_shape(%[3]s), %[11]d), make_stride(make_stride(%[4]s), _1{})));
auto sA_layout = %[5]s{};  // (pixels, channels)
auto tile = product_each(shape(sA_layout));
auto tma = make_im2col_tma_copy(%[12]s, gA, sA_layout, tile, Int<%[13]d>{},
    %[6]s);
// kernel; sA is aligned to %[7]d bytes, tile_coord counts tiles of outputs and of channels and taps
Tensor mA = tma.get_tma_tensor(make_shape(%[8]s, make_shape(%[9]s)));  // (outputs, (channels, taps))
Tensor cA = local_tile(mA, tile, tile_coord);
auto thr = tma.get_slice(%[14]s);
Tensor tAgA = thr.partition_S(cA);
Tensor tAsA = thr.partition_D(sA);
if (elected) {
  set_barrier_transaction_bytes(mbar, %[10]d);
  copy(tma.with(%[15]s), tAgA, tAsA);
}
wait_barrier(mbar, phase);
`, w.modes(), name, commas(w.m.Dims[1:]), commas(strides), shared, strings.Join(args, ", "), w.m.Align(),
		strings.ReplaceAll(commas(out), ",", " *"), commas(filter), w.m.Bytes()*w.share, w.m.Dims[0],
		op, w.share, w.slice, with)
}

// modes names the modes of the tensor: (W,H,N),C.
func (w convolutionWriter) modes() string {
	return "(" + strings.Join([]string{"W", "H", "D"}[:len(w.c.Filter)], ",") + ",N),C"
}

// results returns the extents of the outputs, (Q,P,N), and of channels and taps, (C,S,R).
func (w convolutionWriter) results() (out, filter []int64) {
	out, _ = w.c.Output() // without an output there would be no map
	slices.Reverse(out)
	filter = append([]int64{w.m.Dims[0]}, w.c.Filter...)
	slices.Reverse(filter[1:])
	return out, filter
}

// commas writes numbers with commas and blanks between them.
func commas(xs []int64) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(xs), " ", ", "), "[]")
}

// dsl writes the convolution in the CuTe DSL (cutlass/cute/nvgpu/cpasync/helpers.py, make_im2col_tma_atom).
func (w convolutionWriter) dsl() string {
	if w.t.DSL() == "" {
		return ""
	}
	pixels := w.m.Pixels * w.share
	shared := fmt.Sprintf("cute.make_layout((%[1]d, %[2]d), stride=(%[2]d, 1))", pixels, w.m.Channels)
	if swizzle, ok := w.m.Swizzle.CuTe(); ok && w.m.Swizzle != tensormap.SwizzleNone {
		shared = fmt.Sprintf("cute.make_composed_layout(cute.make_swizzle(%d, %d, %d), 0, %s)", swizzle.B(), swizzle.M(),
			swizzle.S(), shared) + unitDSL(swizzle, w.t)
	}
	names, lists := w.lists()
	var args []string
	for i, xs := range lists {
		args = append(args, fmt.Sprintf("%s=%s", names[i], tupleDSL(xs)))
	}
	tile := tuple([]int64{pixels, w.m.Channels})
	op, mask := "CopyBulkTensorIm2ColG2SOp()", ""
	if w.share > 1 {
		op = "CopyBulkTensorIm2ColG2SMulticastOp()"
		args = append(args, fmt.Sprintf("num_multicast=%d", w.share))
		mask = ", mcast_mask=mask"
	}
	return fmt.Sprintf(`# host; mA is a tensor of %[1]s, (%[2]s)
sA_layout = %[3]s
tma_atom, tma_tensor = cpasync.make_im2col_tma_atom(
    cpasync.%[11]s, mA, sA_layout, %[4]s,
    %[5]s)
# kernel; sA is aligned to %[6]d bytes
gA = cute.local_tile(tma_tensor, %[4]s, tile_coord)
tAsA, tAgA = cpasync.tma_partition(
    tma_atom, %[8]s, cute.make_layout(%[9]d),
    cute.group_modes(sA, 0, cute.rank(sA)), cute.group_modes(gA, 0, cute.rank(gA)))
with cute.arch.elect_one():
    cute.arch.mbarrier_arrive_and_expect_tx(mbar, %[7]d)
cute.copy(tma_atom, tAgA, tAsA, tma_bar_ptr=mbar%[10]s)
cute.arch.mbarrier_wait(mbar, phase)
`, w.t.DSL(), w.modes(), shared, tile, strings.Join(args, ",\n    "), w.m.Align(), w.m.Bytes()*w.share,
		w.slice, w.share, mask, op)
}

// tupleDSL writes a tuple of Python.
func tupleDSL(xs []int64) string {
	if len(xs) == 1 {
		return fmt.Sprintf("(%d,)", xs[0])
	}
	return "(" + commas(xs) + ")"
}

// tuple writes a tuple of the language: no blanks.
func tuple(xs []int64) string { return "(" + strings.ReplaceAll(commas(xs), " ", "") + ")" }
