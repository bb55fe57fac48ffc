package scalar

const (
	whole   = "u8|u16|u32|u64|s8|s16|s32|s64"
	toWhole = "[.rni|.rzi|.rmi|.rpi]"
)

// convertRows are PTX ISA 9.7.9.21 and 9.7.9.22. A source f32:f16 is drawn near the numbers in the middle between two
// of the type after the colon.
var convertRows = []row{
	{"convert", "cvt[|.sat].[" + whole + "].[" + whole + "]", "D:wide = T:wide", ""},
	{"convert", "cvt" + toWhole + "[|.sat].[" + whole + "].[f16|f32|f64]", "D:wide = T:D", ""},
	{"convert", "cvt" + toWhole + "[|.sat].[" + whole + "].bf16", "D = T:D", ""},
	{"convert", "cvt" + toWhole + ".ftz[|.sat].[" + whole + "].f32", "D:wide = T:D", ""},
	{"convert", "cvt" + rounding + "[|.sat].[f16|f32|f64].[" + whole + "]", "D = T:wide", ""},
	{"convert", "cvt" + rounding + ".bf16.[" + whole + "]", "D = T", ""},
	{"convert", "cvt" + rounding + ".ftz[|.sat].f32.[" + whole + "]", "D = T:wide", ""},
	{"convert", "cvt[|.sat].f32.[f16|bf16]", "D = T", ""},
	{"convert", "cvt.ftz[|.sat].f32.[f16|bf16]", "D = T", ""},
	{"convert", "cvt[|.sat].f64.[f16|bf16|f32]", "D = T", ""},
	{"convert", "cvt.ftz[|.sat].f64.f32", "D = T", ""},
	{"convert", "cvt[|.sat].[f16.f16|f32.f32|f64.f64]", "D = T", ""},
	{"convert", "cvt.bf16.bf16", "D = T", ""},
	{"convert", "cvt.ftz[|.sat].f32.f32", "D = T", ""},
	{"convert", "cvt" + toWhole + "[|.sat].[f16.f16|f32.f32|f64.f64]", "D = T:s32", ""},
	{"convert", "cvt" + toWhole + ".bf16.bf16", "D = T:s32", ""},
	{"convert", "cvt" + toWhole + ".ftz[|.sat].f32.f32", "D = T:s32", ""},
	{"convert", "cvt" + rounding + "[|.sat].[f16.f32|f16.f64|f32.f64|f16.bf16]", "D = T:D", ""},
	{"convert", "cvt" + rounding + ".[bf16.f32|bf16.f64|bf16.f16]", "D = T:D", ""},
	{"convert", "cvt" + rounding + ".ftz[|.sat].[f16.f32|f32.f64]", "D = T:D", ""},
	{"convert", "cvt" + rounding + ".ftz.bf16.f32", "D = T:D", ""},
	{"convert", "cvt.[rn|rz][.relu|.satfinite|.relu.satfinite].[f16|bf16].f32", "D = T:D", ""},
	{"convert", "cvt.[rn|rz][|.relu|.satfinite|.relu.satfinite].[f16x2|bf16x2].f32", "D = T:D T:D", ""},
	{"convert", "cvt.rna[|.satfinite].tf32.f32", "b32 = T:D", ""},
	{"convert", "cvt.[rn|rz][|.relu].tf32.f32", "b32 = T:D", ""},
	{"convert", "cvt.[rn|rz].satfinite[|.relu].tf32.f32", "b32 = T:D", "newer"},
	{"convert", "cvt.rn.satfinite[|.relu].[e4m3x2|e5m2x2].f32", "b16 = T:D T:D", ""},
	{"convert", "cvt.rn.satfinite[|.relu].[e4m3x2|e5m2x2].f16x2", "b16 = T:D", ""},
	{"convert", "cvt.rn[|.relu].f16x2.[e4m3x2|e5m2x2]", "b32 = T", ""},
	{"convert", "cvt.rn.satfinite[|.relu].[e4m3x2|e5m2x2].bf16x2", "b16 = T:D", "newer"},
	{"convert", "cvt.rn.satfinite[|.relu].[e2m3x2|e3m2x2].f32", "b16 = T:D T:D", "newer"},
	{"convert", "cvt.rn.satfinite[|.relu].[e2m3x2|e3m2x2].[f16x2|bf16x2]", "b16 = T:D", "newer"},
	{"convert", "cvt.rn[|.relu].f16x2.[e2m3x2|e3m2x2]", "b32 = T", "newer"},
	{"convert", "cvt.[rz|rp][|.satfinite].ue8m0x2.f32", "b16 = T T", "newer"},
	{"convert", "cvt.[rz|rp][|.satfinite].ue8m0x2.bf16x2", "b16 = T", "newer"},
	{"convert", "cvt.rn.bf16x2.ue8m0x2", "b32 = T", "newer"},
	{"convert", "cvt.pack.sat.[u16|s16].s32", "b32 = T T", ""},
	{"convert", "cvt.pack.sat.[u8|s8|u4|s4|u2|s2].s32.b32", "b32 = s32 s32 b32", ""},
}
