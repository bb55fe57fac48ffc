package scalar

import "strings"

const (
	ordered  = "eq|ne|lt|le|gt|ge"
	unsigned = ordered + "|lo|ls|hi|hs"
	floating = ordered + "|equ|neu|ltu|leu|gtu|geu|num|nan"
	boolean  = "[|.and|.or|.xor]"
)

// compared are the types that setp and set compare, with their operators, and whether they have .ftz.
var compared = []struct{ types, operators, ftz string }{
	{"b16|b32|b64", "eq|ne", ""},
	{"u16|u32|u64", unsigned, ""},
	{"s16|s32|s64", ordered, ""},
	{"f32", floating, "[|.ftz]"},
	{"f64", floating, ""},
}

// halves are the types of 16 bits and the packed types.
var halves = []struct{ typ, ftz, predicates, results string }{
	{"f16", "[|.ftz]", "pred", "u16|s16|u32|s32"},
	{"bf16", "", "pred", "u16|s16|u32|s32"},
	{"f16x2", "[|.ftz]", "pred|pred", "f16x2|u32|s32"},
	{"bf16x2", "", "pred|pred", "bf16x2|u32|s32"},
}

// compareRows are PTX ISA 9.7.6 and 9.7.7.
func compareRows() []row {
	var rows []row
	for _, c := range compared {
		text := ".[" + c.operators + "]" + boolean + c.ftz
		rows = append(rows,
			row{"compare", "setp" + text + ".[" + c.types + "]", "pred|pred? = T T pred?", ""},
			row{"compare", "set" + text + ".[u32|s32|f32].[" + c.types + "]", "D = T T pred?", ""},
			row{"compare", "set" + text + ".f16.[" + c.types + "]", "D = T T pred?", ""},
			row{"compare", "set" + strings.TrimSuffix(text, "[|.ftz]") + ".bf16.[" + c.types + "]", "D = T T pred?", ""},
		)
	}
	for _, h := range halves {
		text := ".[" + floating + "]" + boolean + h.ftz
		rows = append(rows,
			row{"compare", "setp" + text + "." + h.typ, h.predicates + " = T T pred?", ""},
			row{"compare", "set" + text + ".[" + h.results + "]." + h.typ, "D = T T pred?", ""},
		)
	}
	return append(rows,
		row{"compare", "set.[" + floating + "]" + boolean + "[|.ftz].f16.f16", "D = T T pred?", ""},
		row{"compare", "set.[" + floating + "]" + boolean + ".bf16.[f16|bf16]", "D = T T pred?", ""},
	)
}
