package atom

import (
	"fmt"
	"strings"

	"girih/cute"
)

// This file defines the copies that each thread performs on its own, and the shuffles between registers
// (include/cute/arch/copy.hpp, copy_sm50.hpp, copy_sm80.hpp, copy_sm100.hpp and the traits of the same names).

// byOneThread returns the copy for one thread, with layouts that map each bit to itself.
func (c Copy) byOneThread(bits int64) Copy {
	l := bitLayout("(1,%d):(0,1)", bits)
	c.ThrID, c.Src, c.Dst, c.Ref = cute.MustParse("1:0"), l, l, l
	return c
}

// inMemory returns a side that is the address of an aligned value.
func inMemory(s Space, bits int64) CopySide {
	return CopySide{Space: s, Unit: bits, Count: 1, Align: bits}
}

// inRegisters returns the side of n registers of 32 bits.
func inRegisters(n int) CopySide { return CopySide{Space: Registers, Unit: 32, Count: n} }

// registerList returns "{%0, %1, %2}": n registers from number first on.
func registerList(first, n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%%%d", first+i)
	}
	return "{" + strings.Join(names, ", ") + "}"
}

// vectorOf returns the vector and type suffix of ld and st for a width in bits, and the number of registers.
func vectorOf(bits int64) (suffix string, registers int) {
	switch {
	case bits <= 64:
		return fmt.Sprintf("b%d", bits), 1
	default:
		return fmt.Sprintf("v%d.b32", bits/32), int(bits / 32)
	}
}

// universalCopy makes UniversalCopy<S> and UniversalCopy<S,D>.
func universalCopy(name string, args []string) (Copy, error) {
	if len(args) > 2 {
		return Copy{}, fail(cute.CodeType, opCopy, "%s has one type or two, found %d", name, len(args))
	}
	src, err := typeBits(args[0])
	if err != nil {
		return Copy{}, err
	}
	dst := src
	if len(args) == 2 {
		if dst, err = typeBits(args[1]); err != nil {
			return Copy{}, err
		}
	}
	if src < 8 || dst < 8 {
		return Copy{}, fail(cute.CodeType, opCopy,
			"%s copies values of 8 bits and more, found %d bits: combine several smaller values", name, min(src, dst))
	}
	load, n := vectorOf(src)
	text := fmt.Sprintf("ld.%s %s, [%%%d];", load, strings.Trim(registerList(0, n), "{}"), n)
	if n > 1 {
		text = fmt.Sprintf("ld.%s %s, [%%%d];", load, registerList(0, n), n)
	}
	c := Copy{
		Operation: Operation{
			Name: instance(name, args), Arch: "sm50", Text: text,
			Source: "CUTLASS include/cute/arch/copy.hpp, PTX ISA ld and st",
		},
		Kind: UniversalCopy, From: inMemory(Anywhere, src), To: inMemory(Anywhere, dst),
		Note: "an assignment in C++: a load, a store or a move, as the two sides lie",
	}.byOneThread(src)
	if dst != src {
		c.Dst = bitLayout("(1,%d):(0,1)", dst)
		c.Note += "; it converts the value"
	}
	return c, nil
}

// instance returns the name of an instance as C++ spells it.
func instance(name string, args []string) string {
	trimmed := make([]string, len(args))
	for i, a := range args {
		trimmed[i] = strings.TrimPrefix(strings.TrimSpace(a), "cute::")
	}
	return name + "<" + strings.Join(trimmed, ",") + ">"
}

// autoVectorizing makes AutoVectorizingCopyWithAssumedAlignment<N>.
func autoVectorizing(name string, args []string) (Copy, error) {
	n, ok := integerArgument(args[0])
	if !ok || len(args) != 1 || n != 8 && n != 16 && n != 32 && n != 64 && n != 128 {
		return Copy{}, fail(cute.CodeType, opCopy, "%s takes 8, 16, 32, 64 or 128 bits, found %.40q", name,
			strings.Join(args, ","))
	}
	l := cute.MustParse("(1,1):(0,0)")
	return Copy{
		Operation: Operation{
			Name: fmt.Sprintf("%s<%d>", name, n), Arch: "sm50", Text: "ld and st of what divides the common vector and the alignment",
			Source: "CUTLASS include/cute/arch/copy.hpp, include/cute/algorithm/copy.hpp",
		},
		ThrID: cute.MustParse("1:0"), Src: l, Dst: l, Ref: l, Kind: UniversalCopy,
		From: CopySide{Space: Anywhere, Unit: 1, Count: 1, Align: 1},
		To:   CopySide{Space: Anywhere, Unit: 1, Count: 1, Align: 1},
		Note: fmt.Sprintf("one value of whatever type; cute::copy widens it to vectors of at most %d bits", n),
	}, nil
}

// asyncCopy makes cp.async of 4, 8 or 16 bytes.
func asyncCopy(name string, args []string) (Copy, error) {
	if len(args) > 2 {
		return Copy{}, fail(cute.CodeType, opCopy, "%s has one type or two, found %d", name, len(args))
	}
	bits, err := typeBits(args[0])
	if err != nil {
		return Copy{}, err
	}
	if other, err := typeBits(args[len(args)-1]); err != nil {
		return Copy{}, err
	} else if other != bits {
		return Copy{}, fail(cute.CodeType, opCopy,
			"cp.async copies bits as they are: expected two types of one width, found %d and %d bits", bits, other)
	}
	level := "ca"
	switch global := strings.Contains(name, "CACHEGLOBAL"); {
	case global && bits != 128:
		return Copy{}, fail(cute.CodeType, opCopy, "cp.async.cg moves 16 bytes, found %d bits", bits)
	case bits != 32 && bits != 64 && bits != 128:
		return Copy{}, fail(cute.CodeType, opCopy, "cp.async moves 4, 8 or 16 bytes, found %d bits", bits)
	case global:
		level = "cg"
	}
	text, note := fmt.Sprintf("cp.async.%s.shared.global.L2::128B [%%0], [%%1], %d", level, bits/8), ""
	if strings.HasSuffix(name, "_ZFILL") {
		text += ", %2"
		note = "%2 is the number of bytes to read, 0 where the predicate is false: the rest of the destination is set to 0"
	}
	return Copy{
		Operation: Operation{
			Name: instance(name, args), Arch: "sm80", Text: text + ";",
			Source: "CUTLASS include/cute/atom/copy_traits_sm80.hpp, PTX ISA cp.async",
		},
		Kind: AsyncCopy, From: inMemory(GlobalMemory, bits), To: inMemory(SharedMemory, bits), Note: note,
	}.byOneThread(bits), nil
}

// shuffles returns the two transposes of 2x2 registers.
func shuffles() []Copy {
	make := func(mask int, dst string) Copy {
		src := cute.MustParse("(32,64):(64,1)")
		return Copy{
			Operation: Operation{
				Name: fmt.Sprintf("SM50_Shuffle_U32_2x2Trans_XOR%d", mask), Arch: "sm50",
				Text:   fmt.Sprintf("shfl.sync.bfly.b32 %%0, %%1, %d, 0x1f, 0xffffffff;", mask),
				Source: "CUTLASS include/cute/atom/copy_traits_sm50.hpp, PTX ISA shfl.sync",
			},
			ThrID: cute.MustParse("32:1"), Src: src, Dst: cute.MustParse(dst), Ref: src,
			Kind: ShuffleCopy, From: inRegisters(2), To: inRegisters(2),
			Note: fmt.Sprintf("threads t and t^%d exchange one register each; the other one stays, so source and destination must be the same registers",
				mask),
		}
	}
	return []Copy{
		make(1, "((2,16),(32,2)):((32,128),(1,64))"),
		make(4, "((4,2,4),(32,2)):((64,32,512),(1,256))"),
	}
}

// wideCopies returns ld and st of 256 bits.
func wideCopies() []Copy {
	op := func(verb, text string) Operation {
		return Operation{
			Name: "SM100_" + verb + "_256bit_CACHE_NOALLOCATION", Arch: "sm100", Text: text,
			Source: "CUTLASS include/cute/atom/copy_traits_sm100.hpp, PTX ISA ld and st",
		}
	}
	return []Copy{
		Copy{
			Operation: op("LOAD", "ld.global.L1::no_allocate.v8.f32 "+registerList(0, 8)+", [%8];"),
			Kind:      WideCopy, From: inMemory(GlobalMemory, 256), To: inRegisters(8),
		}.byOneThread(256),
		Copy{
			Operation: op("STORE", "st.global.L1::no_allocate.v8.f32 [%0], "+registerList(1, 8)+";"),
			Kind:      WideCopy, From: inRegisters(8), To: inMemory(GlobalMemory, 256),
		}.byOneThread(256),
	}
}
