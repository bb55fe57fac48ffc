package mcp

import (
	"fmt"
	"strings"

	"girih/internal/service"
)

// instructions tell an assistant what the tools are for.
func instructions(all []tool) string {
	var b strings.Builder
	b.WriteString(purpose + "\n\n")
	for _, t := range all {
		fmt.Fprintf(&b, "%s: %s\n", t.Name, t.Tool.Title)
	}
	fmt.Fprintf(&b, conventions, service.NamesOf(service.TargetWords()))
	return b.String()
}

const purpose = `girih computes with the layouts of GPU kernels exactly: CuTe layouts and swizzles, linear layouts over F2, MMA and copy
instructions. An answer satisfies its definition at every point, or the call is refused with a code, a witness (the first coordinate at
which it fails) and a hint. Do not work layouts out by hand: ask.`

const conventions = `
help with the name of a tool says in full what it does and what each argument takes; help with the name of an argument does so for all tools.
An argument has the same name and meaning in all tools, and can be left out unless the schema requires it:
expr: a value: a layout, a swizzled or composed layout with offsets in elements, an instruction by its name.
type: of the elements: f16, bf16, tf32, f32, f64, e4m3, e5m2, s8, u8, float, half_t.
target: the machine, sm90 if left out: %s.
accesses: instructions of a warp, as bank describes them; threads: which elements each thread accesses.
atom: an MMA or copy instruction by its CuTe name, tiled_mma(...) or tiled_copy(...).
atoms: AtomLayoutMNK, (2,2,1); permutation: PermutationMNK, <32,32,16>.
shape, tile: extents, [64,64]; tile (M,N,K) of a CTA.
Layouts are shape:stride, colexicographic (mode 0 is fastest). Statements are separated by semicolons, names are bound with let:
let a = (8,8):(8,1); a o 4:2. Nothing is kept between calls. The resources girih://reference and girih://errors have all functions and all
error codes.`
