package scalar

// The tables follow the grammar of the PTX ISA, section by section. Some listed forms are refused by the assembler: see
// [Record.Status].

const (
	ints     = "u16|u32|u64|s16|s32|s64"
	rounding = "[.rn|.rz|.rm|.rp]"
)

// integerRows are PTX ISA 9.7.1.
var integerRows = []row{
	{"integer", "[add|sub].[" + ints + "]", "T = T T", ""},
	{"integer", "add.[u16x2|s16x2]", "T = T T", ""},
	{"integer", "[add|sub].sat.s32", "T = T T", ""},
	{"integer", "mul.[lo|hi].[" + ints + "]", "T = T T", ""},
	{"integer", "mul.wide.[u16|s16|u32|s32]", "W = T T", ""},
	{"integer", "mad.[lo|hi].[" + ints + "]", "T = T T T", ""},
	{"integer", "mad.wide.[u16|s16|u32|s32]", "W = T T W", ""},
	{"integer", "mad.hi.sat.s32", "T = T T T", ""},
	{"integer", "mul24.[lo|hi].[u32|s32]", "T = T T", ""},
	{"integer", "mad24.[lo|hi].[u32|s32]", "T = T T T", ""},
	{"integer", "mad24.hi.sat.s32", "T = T T T", ""},
	{"integer", "sad.[" + ints + "]", "T = T T T", ""},
	{"integer", "[div|rem].[" + ints + "]", "T = T T:divisor", ""},
	{"integer", "[abs|neg].[s16|s32|s64]", "T = T", ""},
	{"integer", "[min|max].[" + ints + "|u16x2|s16x2]", "T = T T", ""},
	{"integer", "[min|max].relu.[s16x2|s32]", "T = T T", ""},
	{"integer", "dp4a.[u32|s32].[u32|s32]", "u32 = u8x4 u8x4 u32", ""},
	{"integer", "dp2a.[lo|hi].[u32|s32].[u32|s32]", "u32 = u16x2 u8x4 u32", ""},
}

// carryRows are PTX ISA 9.7.2. A form that writes the flag is followed by a form that reads it.
var carryRows = []row{
	{"carry", "[add|sub].cc.[u32|s32|u64|s64]", "T = T T", "writes"},
	{"carry", "[addc|subc].[u32|s32|u64|s64]", "T = T T", "reads"},
	{"carry", "[addc|subc].cc.[u32|s32|u64|s64]", "T = T T", "reads writes"},
	{"carry", "mad.[lo|hi].cc.[u32|s32|u64|s64]", "T = T T T", "writes"},
	{"carry", "madc.[lo|hi].[u32|s32|u64|s64]", "T = T T T", "reads"},
	{"carry", "madc.[lo|hi].cc.[u32|s32|u64|s64]", "T = T T T", "reads writes"},
}

// bitRows are the rest of PTX ISA 9.7.1, and 9.7.8.
var bitRows = []row{
	{"bits", "[popc|clz].[b32|b64]", "b32 = T", ""},
	{"bits", "brev.[b32|b64]", "T = T", ""},
	{"bits", "bfind[|.shiftamt].[u32|u64|s32|s64]", "b32 = T", ""},
	{"bits", "fns.b32", "b32 = b32 lane s32:lane", ""},
	{"bits", "bfe.[u32|u64|s32|s64]", "T = T pos pos", ""},
	{"bits", "bfi.[b32|b64]", "T = T T pos pos", ""},
	{"bits", "szext.[clamp|wrap].[u32|s32]", "T = T pos", ""},
	{"bits", "bmsk.[clamp|wrap].b32", "T = pos pos", ""},
	{"bits", "[and|or|xor].[b16|b32|b64]", "T = T T", ""},
	{"bits", "[and|or|xor].pred", "pred = pred pred", ""},
	{"bits", "not.[b16|b32|b64]", "T = T", ""},
	{"bits", "not.pred", "pred = pred", ""},
	{"bits", "cnot.[b16|b32|b64]", "T = T", ""},
	{"bits", "lop3.b32", "T = T T T lut", ""},
	{"bits", "lop3.[and|or].b32", "T|pred = T T T lut pred", ""},
	{"bits", "shf.[l|r].[clamp|wrap].b32", "T = T T shift", ""},
	{"bits", "shl.[b16|b32|b64]", "T = T shift", ""},
	{"bits", "shr.[b16|b32|b64|" + ints + "]", "T = T shift", ""},
	{"bits", "prmt.b32[|.f4e|.b4e|.rc8|.ecl|.ecr|.rc16]", "b32 = b32 b32 sel", ""},
}

// moveRows are mov, selp and slct.
var moveRows = []row{
	{"move", "mov.[b16|b32|b64|" + ints + "|f32|f64]", "T = T", ""},
	{"move", "mov.pred", "pred = pred", ""},
	{"move", "mov.b32", "b32 = {b16,b16}", ""},
	{"move", "mov.b64", "b64 = {b16,b16,b16,b16}", ""},
	{"move", "mov.b64", "b64 = {b32,b32}", ""},
	{"move", "mov.b32", "{b16,b16} = b32", ""},
	{"move", "mov.b64", "{b16,b16,b16,b16} = b64", ""},
	{"move", "mov.b64", "{b32,b32} = b64", ""},
	{"move", "mov.b128", "{b64,b64} = {b64,b64}", ""},
	{"move", "mov.b128", "{b32,b32,b32,b32} = {b64,b64}", ""},
	{"move", "mov.b128", "{b64,b64} = {b32,b32,b32,b32}", ""},
	{"move", "selp.[b16|b32|b64|" + ints + "|f32|f64]", "T = T T pred", ""},
	{"move", "slct.[b16|b32|b64|" + ints + "|f32|f64].s32", "D = D D s32", ""},
	{"move", "slct[|.ftz].[b16|b32|b64|" + ints + "|f32|f64].f32", "D = D D f32", ""},
}

// warpRows are operations between lanes of a warp: PTX ISA 9.7.9 and 9.7.13.
var warpRows = []row{
	{"warp", "shfl.sync.[up|down|bfly|idx].b32", "T = T lane clamp all", "sync"},
	{"warp", "shfl.sync.[up|down|bfly|idx].b32", "T|pred = T lane clamp all", "sync"},
	{"warp", "vote.sync.[all|any|uni].pred", "pred = pred:same mask", "sync"},
	{"warp", "vote.sync.ballot.b32", "b32 = pred:same mask", "sync"},
	{"warp", "match.any.sync.[b32|b64]", "b32 = T:few mask", "sync"},
	{"warp", "match.all.sync.[b32|b64]", "b32 = T:same mask", "sync"},
	{"warp", "match.all.sync.[b32|b64]", "b32|pred = T:same mask", "sync"},
	{"warp", "redux.sync.[add|min|max].[u32|s32]", "T = T mask", "sync"},
	{"warp", "redux.sync.[and|or|xor].b32", "T = T mask", "sync"},
	{"warp", "redux.sync.[min|max][|.abs][|.NaN].f32", "T = T mask", "sync newer"},
	{"warp", "activemask.b32", "b32 = none:mask", "sync"},
	{"warp", "elect.sync", "b32|pred = mask", "sync"},
}
