// Package codegen writes values of the layout algebra as text that other tools accept, spelled as their
// documentation spells it: [Write] takes a [Dialect] and a [Value].
//
//	cpp     CuTe C++           Layout<Shape<_4,_2>,Stride<_1,_4>>{}
//	dsl     CuTe DSL, Python   cute.make_layout((4, 2), stride=(1, 4))
//	mlir    cute dialect types !cute.layout<"(4,2):(1,4)">
//	pycute  pycute, Python     Layout((4, 2), (1, 4))
//	triton  Triton, Python     LinearLayout.from_bases([("index", [[1], [2], [4]])], ["offset"], [8], False)
//	latex   LaTeX mathematics  $(4,2){:}(1,4)$
//	go      package cute      cute.MustParse("(4,2):(1,4)")
//	json    the structure      {"kind":"layout","shape":[4,2],"stride":[1,4],"static":true}
//
// A written text always has the value's meaning: what a target cannot express is refused with the reason,
// as [cute.CodeType] or, for Triton, as [cute.CodeNotRepresentable] with the index at which it fails.
//
// # Adding a dialect
//
// A dialect is a constant and a row of targets in dialect.go, and a file with its write function. The texts of
// instructions and tiled operations are given to [Instruction] by the caller, and linear.go writes the values over F2
// (linear maps, F2 strides, matrices, encodings) for all dialects.
//
// # Static and dynamic integers
//
// A static integer is written as a constant of the target: Int<4>, a Python literal. A dynamic integer is written by
// its name. Without a name it gets a placeholder n0, n1, ...; a name that is a word of the target gets an underscore.
// A comment at the end of the text says so, and lists the known facts about the integers: n0: run-time int; n0 % 8 ==
// 0.
//
// # JSON
//
// Every object has a "kind". Integer tuples are nested arrays, integers have up to 64 bits, and null is the
// underscore:
//
//	{"kind":"int","value":4}                     {"kind":"bool","value":true}
//	{"kind":"tuple","value":[4,[2,2]]}           {"kind":"coord","value":[null,3]}
//	{"kind":"layout","shape":[4],"stride":[1],"static":true}
//	{"kind":"swizzle","b":3,"m":4,"s":3}
//	{"kind":"composed_layout","stages":[{"outer":{...},"offset":0}],"inner":{...},"static":true}
//	{"kind":"tile","modes":[{"kind":"int","value":4},null,{"kind":"layout",...}]}
//	{"kind":"list","items":[...]}                {"kind":"order","value":"LayoutLeft"}
//
// The tiler _ alone is null. The stages of a composed layout are listed outermost first: the value of inner passes
// through the last stage first; a stage adds its offset and applies its outer. A leaf that is not a static integer is
// an object:
//
//	{"sym":"M","div":8,"bits":64}                a dynamic integer; "?" without a name; div and bits where known
//	{"sum":[{"scale":2,"path":[1,0]}]}           the coordinate 2@0@1: a sum of axes, the path outermost first
package codegen
