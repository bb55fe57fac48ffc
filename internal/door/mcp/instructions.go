package mcp

import (
	"fmt"
	"strings"
)

// instructions tell an assistant what the tools are for.
func instructions(all []tool) string {
	var b strings.Builder
	b.WriteString(purpose + "\n\n")
	for _, t := range all {
		fmt.Fprintf(&b, "%s: %s\n", t.Name, t.Tool.Brief)
	}
	b.WriteString("\n" + conventions)
	return b.String()
}

const purpose = `girih computes with the layouts of GPU kernels exactly: CuTe layouts and swizzles, linear layouts over F2, MMA and copy
instructions. An answer satisfies its definition at every point, or the call is refused with a code, a witness (the first coordinate at
which it fails) and a hint. Do not work layouts out by hand: ask.`

const conventions = `The same argument has the same name in all tools: expr (a value), type (of its elements: f16), atom (an instruction), accesses, threads,
target (sm90), shape ([64,64]). Layouts are shape:stride, colexicographic (mode 0 is fastest), offsets in elements. Statements are
separated by semicolons, names are bound with let: let a = (8,8):(8,1); a o 4:2. Nothing is kept between calls. The resources
girih://reference and girih://errors have all functions and all codes of errors.`
