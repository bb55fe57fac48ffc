package emit

import (
	"fmt"
	"slices"
	"strings"

	"girih/internal/machine/address"
)

// This file writes Python for the CuTe DSL, as the examples of CUTLASS 4 do.

var dsl = dialect{
	text:  func(r row) string { return r.dsl },
	words: "cute cutlass smem copy_if copy_zfill copy_tiled_if gemm axpby axpby_if inside tidx bidx bidy bidz warp_idx",
	symbols: map[string]string{
		"thread.x": "tidx", "block.x": "bidx", "block.y": "bidy", "block.z": "bidz", "warp": "warp_idx",
		"warpgroup": "(warp_idx // 4)", "warpgroup.thread": "(tidx % 128)", "rank": "cute.arch.block_idx_in_cluster()",
	},
	alone:  func(symbol string) string { return symbol },
	open:   "None",
	div:    "//",
	and:    " and ",
	never:  "False",
	always: "True",
	wide:   func(name string) string { return name },
	tuple: func(_ string, xs []string) string {
		if len(xs) == 1 {
			return "(" + xs[0] + ",)"
		}
		return "(" + strings.Join(xs, ", ") + ")"
	},
	fork: "if %s:", loop: "for %s in cutlass.range(%s, %s):", otherwise: "else:", comment: " #", pass: "pass",
	declare: map[makes]string{tensor: "%s = %s", object: "%s = %s", number: "%s = %s"},
	indent:  "    ",
	call: func(name string, args ...string) string {
		return "cute." + name + "(" + strings.Join(args, ", ") + ")"
	},
	space: "c",
	root:  "%[1]s = cute.make_identity_tensor(%[2]s.shape)",
	pred: func(w *writer, ids []ID) string {
		var out strings.Builder
		for _, id := range ids {
			fmt.Fprintf(&out, "(%s, %s.shape), ", w.guard[id], w.own[w.root(id)])
		}
		return "(" + strings.TrimSuffix(out.String(), " ") + ")"
	},
}

// DSL writes a kernel as Python for the CuTe DSL: the functions NAME_kernel and NAME, which launches it. It returns
// [cute.CodeType] for an operation that the DSL does not have.
func DSL(p *Program) (string, error) {
	w := newWriter(p, &dsl)
	for _, t := range w.tools {
		w.line(t.name + " = " + t.text)
	}
	w.body()
	body, maps := w.b.String(), w.maps()
	var b strings.Builder
	for _, h := range dslHelpers {
		if strings.Contains(body, " "+h.name+"(") {
			b.WriteString(h.text + "\n\n")
		}
	}
	if strings.Contains(b.String(), "inside(") {
		text := b.String()
		b.Reset()
		b.WriteString(dslInside + "\n\n" + text)
	}
	fmt.Fprintf(&b, "@cute.kernel\ndef %s_kernel(%s):\n", p.Name, strings.Join(w.parameters(), ", "))
	b.WriteString("    tidx, _, _ = cute.arch.thread_idx()\n    bidx, bidy, bidz = cute.arch.block_idx()\n")
	if strings.Contains(body, "warp_idx") {
		b.WriteString("    warp_idx = cute.arch.make_warp_uniform(cute.arch.warp_idx())\n")
	}
	if strings.Contains(body, "smem.") {
		b.WriteString("    smem = cutlass.utils.SmemAllocator()\n")
	}
	var args, given []string
	for _, q := range p.Params {
		given = append(given, w.parameter(q))
		if q.Map {
			args = append(args, "tma_"+q.Name, "tma_tensor_"+q.Name)
			continue
		}
		args = append(args, q.Name)
	}
	fmt.Fprintf(&b, "%s\n\n@cute.jit\ndef %s(%s):\n", body, p.Name, strings.Join(given, ", "))
	for _, m := range maps {
		fmt.Fprintf(&b, "    tma_%s, tma_tensor_%[1]s = %s\n", m[0], m[1])
	}
	fmt.Fprintf(&b, "    %s_kernel(%s).launch(\n        grid=%s, block=(%d, 1, 1), smem=%d", p.Name, strings.Join(args, ", "),
		w.grid(p.Grid), p.Threads, p.Shared)
	if c := p.Cluster; c != [3]int64{} {
		fmt.Fprintf(&b, ", cluster=(%d, %d, %d)", c[0], c[1], c[2])
	}
	if p.Blocks > 0 {
		fmt.Fprintf(&b, ", min_blocks_per_mp=%d", p.Blocks)
	}
	b.WriteString("\n    )\n")
	return b.String(), w.err
}

// parameters returns the parameters of the kernel. It takes a tensor map as a copy atom and its tensor of coordinates.
func (w *writer) parameters() []string {
	var out []string
	for _, q := range w.p.Params {
		if q.Map {
			out = append(out, "tma_"+q.Name+": cute.CopyAtom", "tma_tensor_"+q.Name+": cute.Tensor")
			continue
		}
		out = append(out, w.parameter(q))
	}
	return out
}

// parameter returns a parameter of the function that launches the kernel.
func (w *writer) parameter(q Param) string {
	if q.Pointer {
		return q.Name + ": cute.Pointer"
	}
	return q.Name + ": " + w.element(q.Type)
}

// grid returns the numbers of blocks along x, y and z.
func (w *writer) grid(of []address.Expr) string {
	var out []string
	for _, x := range of {
		out = append(out, w.index(x))
	}
	return "(" + strings.Join(append(out, slices.Repeat([]string{"1"}, 3-len(out))...), ", ") + ")"
}

// dslInside is the function that the other helpers call.
const dslInside = `@cute.jit
def inside(pred, i):
    """Whether the coordinates of element i are inside the shapes of their tensors."""
    yes = cutlass.Boolean(True)
    for j in cutlass.range_constexpr(len(pred)):
        yes = yes and cute.elem_less(pred[j][0][i], pred[j][1])
    return yes
`

// dslHelpers are the functions that the DSL does not have and kernels use.
var dslHelpers = []struct{ name, text string }{
	{"copy_if", `@cute.jit
def copy_if(pred, src: cute.Tensor, dst: cute.Tensor):
    """Copies the elements that are inside."""
    for i in cutlass.range_constexpr(cute.size(dst)):
        if inside(pred, i):
            dst[i] = src[i]
`},
	{"copy_zfill", `@cute.jit
def copy_zfill(pred, src: cute.Tensor, dst: cute.Tensor):
    """Copies the elements that are inside, and writes zeros for the others."""
    for i in cutlass.range_constexpr(cute.size(dst)):
        if inside(pred, i):
            dst[i] = src[i]
        else:
            dst[i] = src.element_type(0)
`},
	{"copy_tiled_if", `@cute.jit
def copy_tiled_if(tiled_copy, pred, src: cute.Tensor, dst: cute.Tensor):
    """Starts the copies of the vectors that are inside, and writes zeros for the others."""
    dst.fill(0)
    from_v = cute.group_modes(src, 1, cute.rank(src))
    to_v = cute.group_modes(dst, 1, cute.rank(dst))
    for i in cutlass.range_constexpr(cute.size(to_v, mode=[1])):
        if inside(pred, i * cute.size(to_v, mode=[0])):
            cute.copy(tiled_copy, from_v[None, i], to_v[None, i])
`},
	{"gemm", `@cute.jit
def gemm(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    """c(m,n) += a(m,k)*b(n,k)"""
    for k in cutlass.range_constexpr(cute.size(a, mode=[1])):
        for n in cutlass.range_constexpr(cute.size(c, mode=[1])):
            for m in cutlass.range_constexpr(cute.size(c, mode=[0])):
                c[m, n] += a[m, k] * b[n, k]
`},
	{"axpby", `@cute.jit
def axpby(alpha, x: cute.Tensor, beta, y: cute.Tensor):
    """y = alpha*x + beta*y; y is not read if beta is 0"""
    for i in cutlass.range_constexpr(cute.size(x)):
        if beta == 0:
            y[i] = alpha * x[i]
        else:
            y[i] = alpha * x[i] + beta * y[i]
`},
	{"axpby_if", `@cute.jit
def axpby_if(pred, alpha, x: cute.Tensor, beta, y: cute.Tensor):
    """y = alpha*x + beta*y for the elements that are inside; y is not read if beta is 0"""
    for i in cutlass.range_constexpr(cute.size(x)):
        if inside(pred, i):
            if beta == 0:
                y[i] = alpha * x[i]
            else:
                y[i] = alpha * x[i] + beta * y[i]
`},
}
