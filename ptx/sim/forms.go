package sim

import "strings"

// This file lists the forms of instructions on registers and of plain memory accesses: the modifiers and types that the
// PTX ISA allows together.

// formNames are abbreviations for alternatives in the patterns.
var formNames = strings.NewReplacer(
	"<ints>", "[u16|u32|u64|s16|s32|s64]",
	"<wides>", "[u32|s32|u64|s64]",
	"<rnd>", "[rn|rz|rm|rp]",
	"<rnd?>", "[|rn|rz|rm|rp]",
	"<whole>", "[u8|u16|u32|u64|s8|s16|s32|s64]",
	"<rni>", "[rni|rzi|rmi|rpi]",
	"<bool?>", "[|and|or|xor]",
	"<eq>", "[eq|ne]",
	"<cmp>", "[eq|ne|lt|le|gt|ge]",
	"<ucmp>", "[eq|ne|lt|le|gt|ge|lo|ls|hi|hs]",
	"<fcmp>", "[eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan]",
	"<num>", "[u32|s32|f16|bf16|f32]",
	"<video>", "[u32|s32].[u32|s32].[u32|s32]",
	"<space?>", "[|global|shared|shared::cta|shared::cluster]",
	"<any?>", "[|global|shared|shared::cta|shared::cluster|local|param|param::entry|param::func|const]",
	"<scope>", "[cta|cluster|gpu|sys]",
	"<vec?>", "[|v2|v4|v8]",
	"<mem>", "[b8|b16|b32|b64|b128|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64]",
	"<atom?>", "[|relaxed|acquire|release|acq_rel].[|cta|cluster|gpu|sys]",
	"<red?>", "[|relaxed|release].[|cta|cluster|gpu|sys]",
)

// formTexts are patterns of opcodes: words between dots. Brackets list the alternatives of a word; a word with an
// empty alternative may be left out. Types must be in this order; other modifiers may be in any order. The number
// after @ is the oldest architecture.
var formTexts = []string{
	// Integers (PTX ISA 9.7.1) and extended precision (9.7.2).
	"[add|sub|sad|div|rem].<ints>", "add.[u16x2|s16x2]", "[add|sub].sat.s32", "[abs|neg].[s16|s32|s64]",
	"[mul|mad].[lo|hi].<ints>", "[mul|mad].wide.[u16|u32|s16|s32]", "mad.hi.sat.s32",
	"[mul24|mad24].[lo|hi].[u32|s32]", "mad24.hi.sat.s32", "[min|max].<ints>", "[min|max].[u16x2|s16x2]",
	"[min|max].relu.[s16x2|s32]", "dp4a.[u32|s32].[u32|s32]", "dp2a.[lo|hi].[u32|s32].[u32|s32]",
	"[add|sub|addc|subc].cc.<wides>", "[addc|subc].<wides>", "[mad|madc].[lo|hi].cc.<wides>", "madc.[lo|hi].<wides>",
	// Bits (9.7.1, 9.7.8).
	"[popc|clz|brev|bfi].[b32|b64]", "bfind.[|shiftamt].<wides>", "bfe.<wides>", "fns.b32",
	"szext.[clamp|wrap].[u32|s32]", "bmsk.[clamp|wrap].b32", "[and|or|xor|not].[b16|b32|b64|pred]",
	"[cnot|shl|shr].[b16|b32|b64]", "shr.<ints>", "lop3.[|and|or].b32", "shf.[l|r].[clamp|wrap].b32",
	"prmt.b32.[|f4e|b4e|rc8|ecl|ecr|rc16]",
	// Floating-point numbers (9.7.3), of 16 bits (9.7.4) and mixed ones (9.7.5).
	"testp.[finite|infinite|number|notanumber|normal|subnormal].[f32|f64]", "copysign.[f32|f64]",
	"[add|sub|mul].<rnd?>.[|ftz].[|sat].f32", "[add|sub|mul].<rnd?>.f64", "[add|sub|mul].<rnd?>.[|ftz].f32x2@100",
	"fma.<rnd>.[|ftz].f32x2@100", "[fma|mad].<rnd>.[|ftz].[|sat].f32", "[fma|mad].<rnd>.f64",
	"div.[rn|rz|rm|rp|approx|full].[|ftz].f32", "div.<rnd>.f64", "[abs|neg].[|ftz].[f16|f16x2|f32]",
	"[abs|neg].[bf16|bf16x2|f64]", "[min|max].[|ftz].[|NaN].[|xorsign.abs].[f16|f16x2|f32]",
	"[min|max].[|NaN].[|xorsign.abs].[bf16|bf16x2]", "[min|max].f64", "[min|max].[|ftz].[|NaN].abs.f32@100",
	"[rcp|sqrt].[rn|rz|rm|rp|approx].[|ftz].f32", "[rcp|sqrt].<rnd>.f64",
	"[rsqrt|sin|cos|lg2|ex2].approx.[|ftz].f32", "[rcp|rsqrt].approx.ftz.f64", "rsqrt.approx.f64",
	"tanh.approx.[f16|f16x2|bf16|bf16x2|f32]", "ex2.approx.[f16|f16x2]", "ex2.approx.ftz.[bf16|bf16x2]",
	"[add|sub|mul].[|rn].[|ftz].[|sat].[f16|f16x2]", "[add|sub|mul].[|rn].[bf16|bf16x2]",
	"fma.rn.[|ftz].[|sat|relu].[f16|f16x2]", "fma.rn.[|relu].[bf16|bf16x2]",
	"fma.rn.oob.[|relu].[f16|f16x2|bf16|bf16x2]", "[add|sub].<rnd?>.[|sat].f32.[f16|bf16]@100",
	"fma.<rnd>.[|sat].f32.[f16|bf16]@100",
	// Comparisons (9.7.6, 9.7.7).
	"setp.<eq>.<bool?>.[b16|b32|b64]", "set.<eq>.<bool?>.<num>.[b16|b32|b64]", "setp.<ucmp>.<bool?>.[u16|u32|u64]",
	"set.<ucmp>.<bool?>.<num>.[u16|u32|u64]", "setp.<cmp>.<bool?>.[s16|s32|s64]",
	"set.<cmp>.<bool?>.<num>.[s16|s32|s64]", "setp.<fcmp>.<bool?>.[|ftz].[f16|f16x2|f32]",
	"setp.<fcmp>.<bool?>.[bf16|bf16x2|f64]", "set.<fcmp>.<bool?>.[|ftz].[u32|s32|f16|f32].f32",
	"set.<fcmp>.<bool?>.bf16.f32", "set.<fcmp>.<bool?>.<num>.f64",
	"set.<fcmp>.<bool?>.[|ftz].[u16|s16|u32|s32|f16].f16", "set.<fcmp>.<bool?>.bf16.f16",
	"set.<fcmp>.<bool?>.[u16|s16|u32|s32|bf16].bf16", "set.<fcmp>.<bool?>.[|ftz].[u32|s32|f16x2].f16x2",
	"set.<fcmp>.<bool?>.[u32|s32|bf16x2].bf16x2",
	// Moves (9.7.9).
	"[mov|selp].[b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64]", "mov.[pred|b128]",
	"mov.[v2|v4|v8].[b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64]",
	"slct.[b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64].s32",
	"slct.[|ftz].[b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64].f32",
	// Warps (9.7.9, 9.7.13).
	"shfl.[|sync].[up|down|bfly|idx].b32", "vote.[|sync].[all|any|uni].pred", "vote.[|sync].ballot.b32",
	"match.[any|all].sync.[b32|b64]", "redux.sync.[add|min|max].[u32|s32]", "redux.sync.[and|or|xor].b32",
	"redux.sync.[min|max].[|abs].[|NaN].f32@100", "activemask.b32", "elect.sync", "nanosleep.u32",
	// Video (9.7.18).
	"[vadd|vsub|vabsdiff|vmin|vmax].[|sat].[|add|min|max].<video>",
	"[vshl|vshr].[clamp|wrap].[|sat].[|add|min|max].[u32|s32].[u32|s32].u32",
	"vset.<cmp>.[|add|min|max].[u32|s32].[u32|s32]", "vmad.[|po].[|sat].[|shr7|shr15].<video>",
	"[vadd2|vsub2|vavrg2|vabsdiff2|vmin2|vmax2|vadd4|vsub4|vavrg4|vabsdiff4|vmin4|vmax4].[|sat|add].<video>",
	"[vset2|vset4].<cmp>.[|add].[u32|s32].[u32|s32]",
	// Conversions (9.7.9.21, 9.7.9.22).
	"cvt.<whole>.<whole>", "cvt.sat.u8.[u16|u32|u64|s8|s16|s32|s64]", "cvt.sat.u16.[u32|u64|s8|s16|s32|s64]",
	"cvt.sat.u32.[u64|s8|s16|s32|s64]", "cvt.sat.u64.[s8|s16|s32|s64]", "cvt.sat.s8.[u8|u16|u32|u64|s16|s32|s64]",
	"cvt.sat.s16.[u16|u32|u64|s32|s64]", "cvt.sat.s32.[u32|u64|s64]", "cvt.sat.s64.u64",
	"cvt.<rni>.[|sat].<whole>.[f16|f64]", "cvt.<rni>.<whole>.bf16", "cvt.<rni>.[|ftz].[|sat].<whole>.f32",
	"cvt.<rnd>.[|sat].[f16|f64].<whole>", "cvt.<rnd>.[|ftz].[|sat].f32.<whole>", "cvt.<rnd>.bf16.<whole>",
	"cvt.[|ftz].[|sat].f32.f16", "cvt.[|sat].f64.f16", "cvt.[|ftz].f32.bf16", "cvt.f64.bf16",
	"cvt.[|ftz].[|sat].f64.f32", "cvt.[|rni|rzi|rmi|rpi].[|sat].[f16.f16|f64.f64]",
	"cvt.[|rni|rzi|rmi|rpi].[|ftz].[|sat].f32.f32", "cvt.[|rni|rzi|rmi|rpi].bf16.bf16", "cvt.<rnd>.[|sat].f16.f64",
	"cvt.<rnd>.f16.bf16", "cvt.<rnd>.[|ftz].[|sat].[f16.f32|f32.f64]", "cvt.<rnd>.[bf16.f64|bf16.f16]",
	"cvt.<rnd>.[|ftz].bf16.f32", "cvt.[rn|rz].[|relu].[|satfinite].[f16|bf16|f16x2|bf16x2].f32",
	"cvt.rna.[|satfinite].tf32.f32", "cvt.[rn|rz].[|relu].tf32.f32", "cvt.[rn|rz].[|relu].satfinite.tf32.f32@100",
	"cvt.rn.satfinite.[|relu].[e4m3x2|e5m2x2].[f32|f16x2]", "cvt.rn.satfinite.[|relu].[e4m3x2|e5m2x2].bf16x2@100",
	"cvt.rn.satfinite.[|relu].[e2m3x2|e3m2x2|e2m1x2].[f32|f16x2|bf16x2]@100", "cvt.rn.[|relu].f16x2.[e4m3x2|e5m2x2]",
	"cvt.rn.[|relu].f16x2.[e2m3x2|e3m2x2|e2m1x2]@100", "cvt.rn.bf16x2.[e4m3x2|e5m2x2|e2m3x2|e3m2x2|e2m1x2]@100",
	"cvt.[rz|rp].[|satfinite].ue8m0x2.[f32|bf16x2]@100", "cvt.rn.bf16x2.ue8m0x2@100", "cvt.rs.[|relu].[|satfinite].[f16x2|bf16x2].f32@100",
	"cvt.rs.[|relu].satfinite.[e4m3x4|e5m2x4|e2m3x4|e3m2x4|e2m1x4].f32@100", "cvt.pack.sat.[u16|s16].s32",
	"cvt.pack.sat.[u8|s8|u4|s4|u2|s2].s32.b32",
	// Memory (9.7.9.8 to 9.7.9.11, 9.7.13.5, 9.7.13.6).
	"ld.[|weak].<any?>.[|ca|cg|cs|lu|cv].<vec?>.<mem>", "ld.global.[|ca|cg|cs].nc.<vec?>.<mem>",
	"[ld|st].volatile.<space?>.<vec?>.<mem>", "[ld|st].mmio.relaxed.sys.[|global].<mem>",
	"ld.[relaxed|acquire].<scope>.<space?>.<vec?>.<mem>", "st.[relaxed|release].<scope>.<space?>.<vec?>.<mem>",
	"st.[|weak].<space?>.[|wb|cg|cs|wt].<vec?>.<mem>",
	"st.[|weak].[local|param|param::func].[|wb|cg|cs|wt].<vec?>.<mem>",
	"atom.<atom?>.<space?>.[and|or|xor|exch|cas].[b32|b64]", "atom.<atom?>.<space?>.cas.b16",
	"atom.<atom?>.<space?>.[exch|cas].b128", "atom.<atom?>.<space?>.add.[u32|s32|u64|f32|f64]",
	"atom.<atom?>.<space?>.[inc|dec].u32", "atom.<atom?>.<space?>.[min|max].[u32|s32|u64|s64]",
	"atom.<atom?>.[|global].add.[v2|v4].f32", "atom.<atom?>.<space?>.add.noftz.[f16|f16x2|bf16|bf16x2]",
	"atom.<atom?>.[|global].[add|min|max].noftz.[v2|v4|v8].[f16|bf16]",
	"atom.<atom?>.[|global].[add|min|max].noftz.[v2|v4].[f16x2|bf16x2]",
	"red.<red?>.<space?>.[and|or|xor].[b32|b64]", "red.<red?>.<space?>.add.[u32|s32|u64|f32|f64]",
	"red.<red?>.<space?>.[inc|dec].u32", "red.<red?>.<space?>.[min|max].[u32|s32|u64|s64]",
	"red.<red?>.[|global].add.[v2|v4].f32", "red.<red?>.<space?>.add.noftz.[f16|f16x2|bf16|bf16x2]",
	"red.<red?>.[|global].[add|min|max].noftz.[v2|v4|v8].[f16|bf16]",
	"red.<red?>.[|global].[add|min|max].noftz.[v2|v4].[f16x2|bf16x2]",
}
