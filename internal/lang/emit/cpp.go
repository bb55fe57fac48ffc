package emit

import (
	"fmt"
	"math/bits"
	"regexp"
	"strings"

	"girih/cute"
	"girih/internal/lang/codegen"
)

// This file writes CuTe C++.

// plain matches a coordinate that CuTe takes as it is: threadIdx.x.
var plain = regexp.MustCompile(`^[a-zA-Z.]+$`)

var cpp = dialect{
	text: func(r row) string { return r.cpp },
	words: "smem shared_memory copy gemm fill clear axpby copy_if copy_zfill warp_idx cute cutlass Barrier shape size " +
		"local_tile local_partition make_coord make_shape make_stride make_tensor make_layout make_gmem_ptr make_smem_ptr " +
		"make_fragment_like make_identity_tensor lazy elem_less select group_modes tma_partition threadIdx blockIdx Tensor Layout Shape " +
		"Stride Step X Int int float double char long short bool auto void const static struct template class SharedStorage",
	symbols: map[string]string{
		"thread.x": "int(threadIdx.x)", "block.x": "int(blockIdx.x)", "block.y": "int(blockIdx.y)", "block.z": "int(blockIdx.z)",
		"warp": "warp_idx", "warpgroup": "cutlass::canonical_warp_group_idx()",
		"warpgroup.thread": "(int(threadIdx.x) % 128)", "rank": "int(block_rank_in_cluster())",
	},
	alone: func(symbol string) string {
		inner := strings.TrimSuffix(strings.TrimPrefix(symbol, "int("), ")")
		if symbol == "int("+inner+")" && plain.MatchString(inner) {
			return inner
		}
		return symbol
	},
	open:   "_",
	div:    "/",
	and:    " && ",
	never:  "false",
	always: "true",
	wide:   func(name string) string { return "int64_t(" + name + ")" },
	tuple: func(make string, xs []string) string {
		return "make_" + make + "(" + strings.Join(xs, ", ") + ")"
	},
	end: ";", fork: "if (%s) {", loop: "CUTE_NO_UNROLL\nfor (int %[1]s = %[2]s; %[1]s < %[3]s; ++%[1]s) {",
	otherwise: "} else {", close: "}", comment: "//",
	declare: map[makes]string{tensor: "Tensor %s = %s", object: "auto %s = %s", number: "auto %s = %s"},
	indent:  "  ",
	call: func(name string, args ...string) string {
		return name + "(" + strings.Join(args, ", ") + ")"
	},
	space: "p",
	root:  "Tensor %[1]s = lazy::transform(make_identity_tensor(shape(%[2]s)), [&](auto c) { return elem_less(c, shape(%[2]s)); })",
	pred: func(w *writer, ids []ID) string {
		var out []string
		for _, id := range ids {
			out = append(out, w.guard[id])
		}
		if len(out) == 1 {
			return out[0]
		}
		return "[&](int i) { return " + strings.Join(out, "(i) && ") + "(i); }"
	},
}

// A Source is a kernel in C++.
type Source struct {
	Device string      // shared memory and the kernel, NAME_device
	Maps   [][2]string // the parameter and the value of each TMA copy, which the host makes
	Shared bool
}

// CPP writes a kernel as CuTe C++. It returns [cute.CodeType] for an operation that CuTe does not have.
func CPP(p *Program) (Source, error) {
	w := newWriter(p, &cpp)
	for _, t := range w.tools {
		w.line("auto " + t.name + " = " + t.text + ";")
	}
	w.body()
	var b strings.Builder
	out := Source{Maps: w.maps()}
	out.Shared = w.storage(&b)
	var types []string
	for _, q := range p.Params {
		if q.Map {
			types = append(types, "class Tma"+upper(q.Name))
		}
	}
	if types != nil {
		b.WriteString("template <" + strings.Join(types, ", ") + ">\n")
	}
	fmt.Fprintf(&b, "__global__ static __launch_bounds__(%d", p.Threads)
	if p.Blocks > 0 {
		fmt.Fprintf(&b, ", %d", p.Blocks)
	}
	b.WriteString(")")
	if p.Cluster != [3]int64{} {
		fmt.Fprintf(&b, " __cluster_dims__(%d, %d, %d)", p.Cluster[0], p.Cluster[1], p.Cluster[2])
	}
	fmt.Fprintf(&b, "\nvoid %s_device(%s)\n{\n", p.Name, strings.Join(parameters(p), ", "))
	if out.Shared {
		b.WriteString("  extern __shared__ __align__(1024) char shared_memory[];\n" +
			"  SharedStorage& smem = *reinterpret_cast<SharedStorage*>(shared_memory);\n")
	}
	body := w.b.String()
	if strings.Contains(body, "warp_idx") {
		b.WriteString("  int warp_idx = cutlass::canonical_warp_idx_sync();\n")
	}
	if strings.Contains(body, "Barrier::") {
		b.WriteString("  using Barrier = cutlass::arch::ClusterTransactionBarrier;\n")
	}
	b.WriteString(body + "}\n")
	out.Device = b.String()
	return out, w.err
}

// parameters returns the parameters of the kernel.
func parameters(p *Program) []string {
	var out []string
	for _, q := range p.Params {
		if q.Map {
			out = append(out, "CUTE_GRID_CONSTANT Tma"+upper(q.Name)+" const tma_"+q.Name)
			continue
		}
		out = append(out, q.CPP+" "+q.Name)
	}
	return out
}

// storage writes the layouts of shared memory and the structure that holds it, and reports whether there is any.
func (w *writer) storage(b *strings.Builder) bool {
	var members strings.Builder
	owners := map[string]string{}
	for i := range w.p.Steps {
		s := &w.p.Steps[i]
		if s.Op != "shared" && s.Op != "barriers" {
			continue
		}
		if other, ok := owners[varOf(s)]; ok {
			w.refuse(cute.CodeName, "%s and %s in shared memory would both have the name %s", other, s.Name, varOf(s))
		}
		owners[varOf(s)] = s.Name
		switch s.Op {
		case "shared":
			layout := strings.TrimSuffix(w.value(codegen.ComposedLayout(s.Layout)), "{}")
			if w.marks[ID(i+1)] {
				layout = w.flaggedLayout(s)
			}
			name := "SmemLayout" + upper(s.Name)
			fmt.Fprintf(b, "using %s = %s;\n", name, layout)
			size := "cosize_v<" + name + ">"
			if n, err := s.Layout.Cosize(); err == nil && n != cosize(s.Layout.Layout()) {
				size = fmt.Sprint(n) // the swizzle goes beyond the layout
			}
			fmt.Fprintf(&members, "  alignas(1024) ArrayEngine<%s, %s> %s;\n", w.element(s.Type), size, varOf(s))
		case "barriers":
			fmt.Fprintf(&members, "  uint64_t %s[%d];\n", varOf(s), s.N)
		}
	}
	if members.Len() == 0 {
		return false
	}
	b.WriteString("\nstruct SharedStorage {\n" + members.String() + "};\n\n")
	return true
}

func cosize(l cute.Layout) int64 {
	n, _ := l.Cosize()
	return n
}

// flaggedLayout returns the layout of shared memory as CuTe's atoms for wgmma have it.
func (w *writer) flaggedLayout(s *Step) string {
	z := w.swizzle(s)
	inner := strings.TrimSuffix(w.value(codegen.Layout(s.Layout.Layout())), "{}")
	return fmt.Sprintf("ComposedLayout<Swizzle<%d,%d,%d>,smem_ptr_flag_bits<%d>,%s>", z[0], z[1], z[2], s.Type.Bits(),
		inner)
}

// swizzle returns the swizzle of shared memory as one of the bytes of its address: the memory is aligned to 1024 bytes,
// so the elements are at the same places.
func (w *writer) swizzle(s *Step) [3]int {
	out := [3]int{0, 4, 3}
	for f, offset := range s.Layout.Stages() {
		z, ok := f.(cute.Swizzle)
		if x, isInt := offset.Int64(); !ok || !isInt || x != 0 || out[0] != 0 || s.Type.Bits() < 8 {
			w.refuse(cute.CodeType, "%s has the layout %v, which is not a swizzle of a layout", s.Name, s.Layout)
			continue
		}
		out = [3]int{z.B(), z.M() + bits.Len(uint(s.Type.Bits()/8)) - 1, z.S()}
	}
	if at := out[0] + out[1] + max(out[2], -out[2]); out[0] > 0 && at > 10 {
		w.refuse(cute.CodeType, "the swizzle of %s repeats after 2^%d bytes, and shared memory is aligned to 1024", s.Name, at)
	}
	return out
}
