package scalar

// videoRows are PTX ISA 9.7.18. The selected byte or half of an operand is drawn. The kind v32 is a register with a
// selector; m32 is a destination with a selector, whose other bytes come from the last operand; n32 is a register
// that may be negated. The kinds h2 and b4 choose among the halves and bytes of two sources, and mh2 and mb4 are
// masks of results.
func videoRows() []row {
	const pair = ".[u32|s32].[u32|s32]"
	const triple = ".[u32|s32]" + pair
	rows := []row{
		{"video", "[vadd|vsub|vabsdiff|vmin|vmax]" + triple + "[|.sat]", "u32 = v32 v32", ""},
		{"video", "[vadd|vsub|vabsdiff|vmin|vmax]" + triple + "[|.sat][.add|.min|.max]", "u32 = v32 v32 u32", ""},
		{"video", "[vadd|vsub|vabsdiff|vmin|vmax]" + triple + "[|.sat]", "m32 = v32 v32 u32", ""},
		{"video", "[vshl|vshr]" + pair + ".u32[|.sat].[clamp|wrap]", "u32 = v32 vshift", ""},
		{"video", "[vshl|vshr]" + pair + ".u32[|.sat].[clamp|wrap][.add|.min|.max]", "u32 = v32 vshift u32", ""},
		{"video", "[vshl|vshr]" + pair + ".u32[|.sat].[clamp|wrap]", "m32 = v32 vshift u32", ""},
		{"video", "vmad" + triple + "[|.sat][|.shr7|.shr15]", "u32 = v32 v32 n32", ""},
		{"video", "vmad" + triple + "[|.sat][|.shr7|.shr15]", "u32 = nv32 v32 u32", ""},
		{"video", "vmad" + triple + ".po[|.sat][|.shr7|.shr15]", "u32 = v32 v32 u32", ""},
		{"video", "vset" + pair + ".[" + ordered + "]", "u32 = v32 v32", ""},
		{"video", "vset" + pair + ".[" + ordered + "][.add|.min|.max]", "u32 = v32 v32 u32", ""},
		{"video", "vset" + pair + ".[" + ordered + "]", "m32 = v32 v32 u32", ""},
	}
	for _, w := range []struct{ suffix, mask, choice string }{{"2", "mh2", "h2"}, {"4", "mb4", "b4"}} {
		operands := " = " + w.choice + " " + w.choice + " u32"
		name := "[vadd|vsub|vavrg|vabsdiff|vmin|vmax]" + w.suffix
		for _, dst := range []string{"u32", w.mask} {
			rows = append(rows,
				row{"video", name + triple + "[|.sat|.add]", dst + operands, ""},
				row{"video", "vset" + w.suffix + pair + ".[" + ordered + "][|.add]", dst + operands, ""},
			)
		}
	}
	return rows
}
