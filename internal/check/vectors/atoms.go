package vectors

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/internal/why/judge"
)

// This file checks girih against the tables mma_atoms_*.tsv, which programs compiled with CuTe's headers printed: the
// name, shape, threads, layouts and bits per element of each MMA instruction.

// runAtoms runs mma_atoms_*.tsv.
func runAtoms(rep *Report, data []byte) error {
	return eachRow(rep, data, 7, func(line int, c []string) {
		arch := c[0][:max(0, strings.IndexAny(c[0], "_:"))]
		rep.add(fmt.Sprintf("%s:%d", rep.File, line), arch, atomRow(c[0], c[1:6], c[6]))
	})
}

// atomRow compares the instruction's shape, threads and layouts, and the bits per element if they are recorded.
func atomRow(name string, columns []string, bits string) outcome {
	m, err := atom.FindMMA(name)
	if err != nil {
		return outcome{verdict: failed, expr: name, got: err.Error(), want: "an instruction", why: "girih does not know it"}
	}
	got := []string{
		fmt.Sprintf("(%d,%d,%d)", m.Shape[0], m.Shape[1], m.Shape[2]), m.ThrID.String(),
		m.TVText(atom.OperandA), m.TVText(atom.OperandB), m.TVText(atom.OperandC),
	}
	for i, want := range columns {
		if want = judge.Strip(want); got[i] != want {
			return unequal(name+", "+[]string{"Shape_MNK", "ThrID", "ALayout", "BLayout", "CLayout"}[i], got[i], want)
		}
	}
	t := m.Types
	if have := fmt.Sprint(t.A.Bits(), t.B.Bits(), t.C.Bits(), t.D.Bits()); bits != "" && have != bits {
		return unequal(name+", bits of A, B, C and D", have, bits)
	}
	return pass()
}

// contradicted maps each expression whose text in CuTe is wrong to the text that a card showed.
var contradicted = map[string]string{
	"SM75_U32x1_MOVM_T, DstLayout":           "((4,8),(16,2)):((256,16),(1,128))",
	"SM75_U32x1_MOVM_T;half_t, ValLayoutDst": "((4,8),(1,2)):((16,1),(1,8))",
	"SM61_DP2A, bits of A, B, C and D":       "16 8 32 32",
}

// unequal fails a row whose text differs from the recorded text, unless a card has shown that the record is wrong.
func unequal(expr, got, want string) outcome {
	if card, ok := contradicted[expr]; ok && card == got {
		return outcome{verdict: documented, kind: cardSays, expr: expr, got: got, want: want}
	}
	return outcome{verdict: failed, expr: expr, got: got, want: want, why: "another text"}
}

// equal compares a text with the recorded text. If err is not nil, girih has no text and err says why.
func equal(expr string, got fmt.Stringer, err error, want string) outcome {
	if err != nil {
		return outcome{verdict: failed, expr: expr, got: err.Error(), want: judge.Strip(want), why: "girih refuses"}
	}
	if text := got.String(); text != judge.Strip(want) {
		return unequal(expr, text, judge.Strip(want))
	}
	return pass()
}
