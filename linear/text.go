package linear

import (
	"fmt"
	"strings"
)

// String returns the layout as Triton dumps it (LinearLayout::toString), which begins with a line break:
//
//   - register=1 -> (0, 1)
//     register=2 -> (8, 0)
//   - warp is a size 1 dimension
//     where out dims are: [dim0 (size 16), dim1 (size 2)]
//
// A last line "and 0 -> (4, 1)" follows if the origin is not 0.
func (l Layout) String() string {
	var b strings.Builder
	b.WriteByte('\n')
	switch {
	case l.ins.len() == 0 && l.outs.len() == 0:
		b.WriteString("(empty layout)")
	case l.ins.len() == 0:
		b.WriteString("(empty layout with out-dims " + l.outs.list() + ")")
	default:
		l.writeBases(&b)
		b.WriteString("where out dims are: " + l.outs.list())
	}
	if l.origin != 0 {
		b.WriteString("\nand 0 -> " + l.outs.text(l.origin))
	}
	return b.String()
}

func (l Layout) writeBases(b *strings.Builder) {
	for i, name := range l.ins.names {
		if l.ins.bits[i] == 0 {
			fmt.Fprintf(b, " - %s is a size 1 dimension\n", name)
			continue
		}
		for k := range int(l.ins.bits[i]) {
			lead := "   "
			if k == 0 {
				lead = " - "
			}
			fmt.Fprintf(b, "%s%s\n", lead, l.basisText(int(l.ins.off[i])+k))
		}
	}
}
