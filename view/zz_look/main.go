package main

import (
	"fmt"
	"os"

	"girih"
	"girih/atom"
	"girih/draw"
	"girih/draw/svg"
	"girih/view"
)

func main() {
	out := func(name string, s *draw.Scene, err error) {
		if err != nil {
			fmt.Println(name, err)
			return
		}
		os.WriteFile("/tmp/v1/"+name+".svg", svg.Append(nil, s), 0o644)
		fmt.Println(name, int(s.W), int(s.H), len(s.Shapes()))
	}
	lay := func(name, text string, o view.Options) {
		l, err := girih.Parse(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		s, err := view.Layout(l, o)
		out(name, s, err)
	}
	o := view.Options{}
	lay("l1", "(4,(2,2)):(1,(8,4))", o)
	lay("l2", "((2,2),(2,(2,2))):((1,8),(2,(4,16)))", o)
	lay("l3", "100:3", o)
	lay("l4", "(4,6,5):(1,4,24)", o)
	lay("l5", "(3,4,2,2):(1,3,12,24)", o)
	lay("l6", "(4,4):(2,3)", o)
	lay("l7", "(128,128):(128,1)", o)
	lay("l8", "(1048576,1048576):(1048576,1)", o)
	lay("l9", "(4,5):(1@0,1@1)", o)
	lay("l10", "(2,2,2,2,2,2,2):(1,2,4,8,16,32,64)", o)
	tv := func(name, text, tile string, o view.Options) {
		s, err := view.TV(girih.MustParse(text), girih.MustParseTuple(tile), o)
		out(name, s, err)
	}
	tv("t1", "((4,8),(2,2)):((32,1),(16,8))", "(16,8)", o)
	tv("t2", "((8,32),(8,8)):((1024,1),(128,32))", "(128,128)", o)
	tv("t2b", "((16,8),(8,16)):((1024,1),(128,8))", "(128,128)", o)
	tv("t3", "((4,8,4),(2,2,8)):((32,1,16),(16,8,2048))", "(64,128)", o)
	s, err := view.Hardware(girih.MustParse("((4,8),(2,2)):((32,1),(16,8))"), girih.MustParseTuple("(16,8)"), o)
	out("h1", s, err)
	mma := func(name, n string) {
		m, err := atom.FindMMA(n)
		if err != nil {
			fmt.Println(err)
			return
		}
		s, err := view.MMA(m, o)
		out(name, s, err)
	}
	mma("m1", "SM80_16x8x16_F32F16F16F32_TN")
	mma("m2", "SM90_64x64x16_F32F16F16_SS")
	mma("m2b", "SM90_64x256x16_F32F16F16_SS")
	mma("m3", "SM70_8x8x4_F32F16F16F32_NT")
	m, _ := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	t, err := atom.MakeTiledMMA(m, girih.MustParse("(2,2,1)"), girih.MustParseTiler("<32,32,16>"))
	if err != nil {
		fmt.Println(err)
	}
	s, err = view.TiledMMA(t, o)
	out("tm", s, err)
	c, err := atom.FindCopyAtom("SM75_U32x4_LDSM_N", "f16")
	s, err = view.CopyAtom(c, o)
	out("c1", s, err)
	tc, err := atom.MakeTiledCopyA(c, t)
	if err != nil {
		fmt.Println(err)
	}
	s, err = view.TiledCopy(tc, o)
	out("c2", s, err)
	w, _ := girih.NewSwizzle(3, 3, 3)
	cc, _ := girih.NewComposed(w, girih.Int(0), girih.MustParse("(8,64):(64,1)"))
	s, err = view.Swizzle(cc, 16, o)
	out("s1", s, err)
	s, err = view.Swizzle(cc, 0, o)
	out("s2", s, err)
}
