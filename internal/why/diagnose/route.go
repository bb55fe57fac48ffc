package diagnose

import (
	"fmt"
	"strings"

	"girih/dtype"
	"girih/internal/pattern"
	"girih/internal/why/condition"
)

// routeRules lists messages that are not enough for a verdict. Another command of girih can answer them.
var routeRules = ruleList{
	{says: "fall back to normal copy in lowerbulk", tool: toolTileLang, op: "T.copy", look: bulkCopy, alone: true, demand: "with a swizzle, a row of the box of a TMA copy has at most the bytes of the swizzle span: 32, 64 or 128"},
	{says: "libnvvm failed while compiling", tool: toolDSL, op: "compile", look: libNVVM, alone: true, demand: demandNVVM},
	{says: "nvvm_error_compilation", tool: toolDSL, op: "compile", look: libNVVM, symptom: true, alone: true, demand: demandNVVM},
	{says: "' op |does not have expected attribute", tool: toolTriton, look: lacksAttribute, demand: "each operation has the attributes that its verifier expects"},
	{says: "' op |requires attribute", tool: toolTriton, look: lacksAttribute, demand: "each operation has the attributes that its verifier expects"},
	{says: "nvvm backend compilation failed", tool: toolDSL, op: "compile", look: libNVVM, symptom: true, alone: true, demand: demandNVVM},
}

const demandNVVM = "libNVVM compiles the code that the DSL made for the target"

const (
	reDirect  = pattern.Pattern(`src=(\w+), dst=(\w+)`)
	reBlockK  = pattern.Pattern(`(?i)^(?:block_?k|bk|blk_?k)$`)
	reDType   = pattern.Pattern(`\b(float16|bfloat16|float32|int8|uint8|float8_e4m3\w*|float8_e5m2\w*)\b`)
	reArch    = pattern.Pattern(`target architecture: (\w+)`)
	reLacks   = pattern.Pattern(`'([\w.]+)' op (?:does not have expected attribute|requires attribute) ['"]?([\w.]+)`)
	reNothing = pattern.Pattern(`(?i)^(?:\s*(?:E\s+)?(?:\w+: )?NVVM backend compilation failed|\s*(?:E\s*)?)$`)
)

// bulkCopy examines a copy whose swizzled box is wider than the swizzle's span.
func bulkCopy(f *failure) {
	if m := reDirect.FindStringSubmatch(f.m.text); m != nil {
		f.operand("src", m[1])
		f.operand("dst", m[2])
	}
	k, bits := f.blockK()
	if k == 0 || bits == 0 {
		f.missing("the extent of a row of the box (block_K) and its type")
	} else if row := k * bits / 8; row*8 == k*bits {
		f.operand("a row of the box", fmt.Sprintf("%d × %d bytes = %d bytes", k, bits/8, row))
		switch {
		case row%128 == 0 || row == 64 || row == 32:
		case row%32 != 0:
			f.Condition = fmt.Sprintf("%d bytes is no multiple of 32, the narrowest span", row)
		default:
			span := int64(32)
			if row%64 == 0 {
				span = 64
			}
			f.Condition = fmt.Sprintf("%d bytes is a multiple of the span %d, but not of %d, and a box of it exceeds the span: %d > %d",
				row, span, 2*span, row, span)
		}
		one := 8 * 32 / bits
		f.repair(Repair{Say: fmt.Sprintf("block_K = %d, %d or a multiple of %d: rows of 32, 64 or a multiple of 128 bytes",
			one, 2*one, 4*one)})
	}
	f.repair(Repair{Say: "girih tma 'SHAPE:STRIDE' --box ROWS,BLOCK_K --type TYPE --swizzle 128 says which boxes are legal, and in how many copies"})
	f.repair(Repair{Say: "T.copy(..., disable_tma=True) copies without the TMA"})
}

// blockK returns the extent of a block in K, and the bits of its elements, if the text gives exactly one of each.
func (f *failure) blockK() (k, bits int64) {
	text := f.m.above + "\n" + f.m.body
	text = text[max(0, len(text)-maxNear):]
	for _, o := range append(f.m.values(), condition.Collect(text)...) {
		if !o.Tuple && reBlockK.MatchString(o.Name) && o.Values[0] > 0 && o.Values[0] < 1<<20 {
			if k != 0 && k != o.Values[0] {
				return 0, 0
			}
			k = o.Values[0]
		}
	}
	for _, m := range reDType.FindAllStringSubmatch(text, 16) {
		t, err := dtype.Parse(m[1])
		if err != nil {
			continue
		}
		if b := int64(t.Bits()); bits != 0 && b != bits {
			return k, 0
		} else {
			bits = b
		}
	}
	return k, bits
}

// lacksAttribute names the MLIR operation that lacks an attribute, and says how to find the pass that made it.
func lacksAttribute(f *failure) {
	if tool := dialectOf(f.m.text); tool != "" {
		f.Tool = tool
	}
	m := reLacks.FindStringSubmatch(f.m.text)
	if m == nil {
		f.missing("the attribute and the operation: the whole line of the message names them")
		return
	}
	f.read()
	f.Op = m[1]
	f.Demand = fmt.Sprintf("%s has the attribute %s", m[1], m[2])
	f.Condition = fmt.Sprintf("this %s has no %s", m[1], m[2])
	f.missing("the pass that made the operation without it: MLIR_ENABLE_DUMP=1 prints the module before each pass")
	if strings.HasSuffix(m[1], ".convert_layout") {
		f.repair(Repair{Say: "a kernel without the conversion: girih convert 'A' 'B' says what it moves, and whether the two encodings are one layout"})
	}
}

// libNVVM records what the compiler's backend log says, if anything, and where to look.
func libNVVM(f *failure) {
	if m := reArch.FindStringSubmatch(f.m.body); m != nil {
		f.operand("target", m[1])
	}
	_, log, found := strings.Cut(f.m.body, "backend log:")
	first := ""
	for line := range strings.Lines(log) {
		if line = strings.TrimSpace(line); !reNothing.MatchString(line) {
			first = line
			break
		}
	}
	if first != "" && !strings.HasPrefix(first, "suggestion:") && !strings.Contains(first, "Traceback") {
		f.Condition = "the backend log says: " + oneLine(first)
	} else if found || strings.Contains(f.m.text, "extra log") {
		f.Fact = "the backend log is empty: the compiler failed without saying at which instruction"
	}
	f.missing("the instruction that libNVVM refused: CUTE_DSL_KEEP_IR=1 and CUTE_DSL_KEEP_PTX=1 write what it was given")
	f.repair(Repair{Say: "girih atom NAME says for each instruction of the kernel which targets have it, with which types and shapes"})
	f.repair(Repair{Say: "another release of nvidia-cutlass-dsl: if the kernel compiles there, the compiler is at fault, and not the kernel"})
}
