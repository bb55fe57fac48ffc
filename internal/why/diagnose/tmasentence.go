package diagnose

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih/internal/pattern"
	"girih/tensormap"
)

// parameterRules returns rules for sentences about one parameter of a tensor map, from any tool.
func parameterRules() (all ruleList) {
	for _, p := range []struct {
		name  string
		rules []tensormap.Rule
	}{
		{"boxdim", []tensormap.Rule{tensormap.RuleBox, tensormap.RuleBoxBytes, tensormap.RuleSpan}},
		{"box_dim", []tensormap.Rule{tensormap.RuleBox, tensormap.RuleBoxBytes, tensormap.RuleSpan}},
		{"inner box dim", []tensormap.Rule{tensormap.RuleBoxBytes, tensormap.RuleSpan}},
		{"innermost box", []tensormap.Rule{tensormap.RuleBoxBytes, tensormap.RuleSpan}},
		{"globalstride", []tensormap.Rule{tensormap.RuleStride, tensormap.RuleStrideLimit}},
		{"globaldim", []tensormap.Rule{tensormap.RuleDim}},
		{"elementstrides", []tensormap.Rule{tensormap.RuleStep}},
		{"globaladdress", []tensormap.Rule{tensormap.RuleAddress}},
		{"channelsperpixel", []tensormap.Rule{tensormap.RuleChannels, tensormap.RuleSpan}},
		{"pixelspercolumn", []tensormap.Rule{tensormap.RulePixels}},
		{"tensorrank", []tensormap.Rule{tensormap.RuleRank, tensormap.RuleRankInterleave}},
		{"tensordatatype", []tensormap.Rule{tensormap.RuleDataType}},
		{"cu_tensor_map_interleave", []tensormap.Rule{tensormap.RuleSwizzleInterleave}},
		{"interleave must be", []tensormap.Rule{tensormap.RuleInterleavePacked}},
		{"cu_tensor_map_swizzle", []tensormap.Rule{tensormap.RuleSwizzleU4, tensormap.RuleSwizzleU6}},
		{"cu_tensor_map_float_oob_fill_nan", []tensormap.Rule{tensormap.RuleFillType}},
	} {
		for _, word := range []string{"must", "multiple", "align", "expected", "exceed", "should", "support", "can only"} {
			all = append(all, rule{
				says: p.name + "|" + word, tool: toolDriver, op: "cuTensorMapEncodeTiled", look: tmaSentence,
				demand: demandOf(p.rules...), alone: true,
			})
		}
		all = append(all, rule{
			says: p.name + "[", tool: toolDriver, op: "cuTensorMapEncodeTiled", look: tmaSentence, demand: demandOf(p.rules...),
		})
	}
	return all
}

const (
	reIndexed   = pattern.Pattern(`(?i)\b(box_?dims?|global_?strides?|global_?dims?|element_?strides?)\s*\[(\d)\](.*)`)
	reFound     = pattern.Pattern(`(?i)(?:but got|got|found|is|=)\s*:?\s*(-?\d+)(?:\s*\*\s*(\d+)(?:\s*=\s*\d+)?\s*(bits?|bytes?)?)?`)
	reElements  = pattern.Pattern(`(?i)box dim(?:ension)? (\d+) \(= ?(\d+) bytes\)`)
	reAddress   = pattern.Pattern(`0[xX][0-9a-fA-F]+`)
	reRemainder = pattern.Pattern(`(?i)\bmod ?(\d+) ?= ?(\d+)`)
	reBound     = pattern.Pattern(`[<>]=\s*\d+`)
	reEnum      = pattern.Pattern(`enum:? (\d+)`)
	reSpan      = pattern.Pattern(`(?i)span \(?(\d+)`)
	reAmong     = pattern.Pattern(`(?i)must be CU_TENSOR_MAP|can only be used`)
	rePixels    = pattern.Pattern(`(?i)channelsPerPixel|pixelsPerColumn|im2col`)
	reConstant  = pattern.Pattern(`CU_TENSOR_MAP_(DATA_TYPE|SWIZZLE|INTERLEAVE|FLOAT_OOB_FILL)_\w+`)
)

// tmaSentence judges a sentence about one number of a tensor map. All other numbers are set so that they break no rule.
func tmaSentence(f *failure) {
	lines := []string{f.m.text}
	if !reIndexed.MatchString(f.m.text) {
		lines = strings.Split(firstLines(f.m.body, 16), "\n")
	}
	known := false
	var all []string
	for _, line := range lines {
		m, ok := oneNumber(line)
		known = known || ok
		if ok && reAmong.MatchString(line) { // the sentence lists the legal constants, not the actual one
			addBroken(f.Finding, m)
			f.Condition = ""
			return
		}
		if !ok || f.Condition != "" && strings.Contains(f.Condition, line) {
			continue
		}
		f.Condition = ""
		addBroken(f.Finding, m)
		if f.Condition != "" && !slices.Contains(all, f.Condition) {
			all = append(all, f.Condition)
		}
	}
	f.Condition = strings.Join(all, "; ")
	words := strings.ToLower(f.m.text)
	if x := reRemainder.FindStringSubmatch(f.m.text); x != nil && f.Condition == "" {
		known = true
		f.Condition = fmt.Sprintf("the address mod %s is %s", x[1], x[2])
		f.repair(Repair{Say: inWords(words)})
	}
	switch {
	case !known:
		f.repair(Repair{Say: inWords(words)})
		f.missing("the number: print the arguments of the tensor map (dims, strides, box, swizzle) and paste them")
	case f.Condition == "" && strings.Contains(words, "non-zero"):
		f.Condition = "the stride is 0: no rule of the driver's documentation, but of the tool"
		f.repair(Repair{Say: "leave the dimension that repeats out of the map, and load its one slice for each of its coordinates"})
	case f.Condition == "":
		f.missing("the other arguments of the tensor map: with this number alone it keeps all rules")
	}
}

// inWords says what a parameter must satisfy, for a sentence without a number.
func inWords(sentence string) string {
	switch {
	case strings.Contains(sentence, "stride"):
		return "pad the rows to a multiple of 16 bytes: 8 elements of 16 bits, 16 of 8, 4 of 32; girih tma 'SHAPE:STRIDE' --box BOX --type TYPE says which stride breaks the rule"
	case strings.Contains(sentence, "null"):
		return "allocate it before the map is made, and look for an earlier error of the allocation"
	case strings.Contains(sentence, "address"):
		return "begin the tensor at a multiple of 16 bytes, as allocations do (32 with INTERLEAVE_32B and packed types of 16 bytes), and shift the tile by " +
			"its coordinates instead of the pointer"
	case strings.Contains(sentence, "globaldim"):
		return "extents of 1 to 2^32, in elements and the contiguous one first"
	case strings.Contains(sentence, "rank"):
		return "1 to 5 dimensions, 3 to 5 of im2col and of interleaved tensors: join modes that are contiguous, or fix one in the address"
	case strings.Contains(sentence, "pixel"):
		return "channelsPerPixel of 1 to 256, of packed types 128, and with a swizzle at most its 32, 64 or 128 bytes; pixelsPerColumn of 1 to 1024: " +
			"girih tma 'N,H,W,C' --im2col 'filter 3,3' --box PIXELS,CHANNELS --type TYPE"
	}
	return "dimension 0 of the box as a multiple of 16 bytes (8 elements of 16 bits, 16 of 8, 4 of 32), with a swizzle at most its 32, 64 or 128 bytes, " +
		"and at most 256 elements in each dimension; a larger tile is several copies: girih tma 'SHAPE:STRIDE' --box TILE --type TYPE counts them"
}

// legalMap returns a map that keeps all rules, with the type, the interleave and the swizzle from a sentence. If the
// sentence states a rule about one of these constants, the map breaks the rule, and named is true.
func legalMap(text string) (m tensormap.Map, named bool) {
	m = tensormap.Map{
		Dims: lengthen(128, nil, 5), Strides: lengthen(1<<20, nil, 4), Box: lengthen(1, []int64{128}, 5),
	}
	words := strings.ToLower(text)
	if rePixels.MatchString(text) {
		m.Mode, m.Box, m.Channels, m.Pixels = tensormap.Im2col, nil, 16, 1
		m.Lower, m.Upper = make([]int64, 3), make([]int64, 3)
	}
	for _, c := range reConstant.FindAllStringSubmatch(text, 4) {
		named = setConstant(&m, c[0], words) || named
	}
	if s := reSpan.FindStringSubmatch(text); s != nil {
		if w, err := tensormap.ParseSwizzle(s[1] + "B"); err == nil {
			m.Swizzle = w
			if m.Box != nil {
				m.Box[0] = 16
			}
		}
	}
	return m, named
}

// setConstant sets an argument of a map to a constant of the driver, and reports whether the map then breaks the rule
// that a sentence states. words is the sentence in lower case.
func setConstant(m *tensormap.Map, constant, words string) bool {
	switch kind := reConstant.FindStringSubmatch(constant)[1]; {
	case kind == "DATA_TYPE":
		if t, err := tensormap.ParseType(constant); err == nil {
			m.Type, m.Channels = t, m.Channels*8 // 128 elements, as packed types require
		}
	case kind == "FLOAT_OOB_FILL" && strings.Contains(words, "can only"):
		m.Fill = tensormap.FillNaN
		return true
	case kind == "SWIZZLE" && strings.Contains(words, "not support"):
		w, err := tensormap.ParseSwizzle(constant)
		if err == nil {
			m.Swizzle = w
		}
		return err == nil
	case kind == "INTERLEAVE" && strings.HasSuffix(constant, "_32B"): // INTERLEAVE_32B needs the swizzle of 32 bytes
		m.Interleave = tensormap.Interleave32B
		return true
	case kind == "INTERLEAVE" && strings.Contains(words, "interleave must be"): // the interleave must be NONE
		m.Interleave = tensormap.Interleave16B
		return true
	}
	return false
}

// oneNumber returns a map with one number or constant from a sentence, and reports whether the sentence has one.
func oneNumber(text string) (tensormap.Map, bool) {
	m, named := legalMap(text)
	if named {
		return m, true
	}
	words := strings.ToLower(text)
	name, index, rest := parameterOf(text)
	if name == "address" {
		a, err := strconv.ParseUint(strings.ToLower(reAddress.FindString(text)), 0, 64)
		m.Address = a
		return m, err == nil
	}
	if s := reElements.FindStringSubmatch(text); name == "" && s != nil {
		n, _ := integer(s[1])
		if bytes, ok := integer(s[2]); ok && n > 0 {
			m.Type = typeOfSize(fmt.Sprint(bytes*8/n), "bits")
			return with(m, "box", 0, n), true
		}
	}
	if name != "" && index <= 4 && strings.Contains(words, "non-zero") {
		return with(m, name, index, 0), true
	}
	if x := reEnum.FindStringSubmatch(text); x != nil && strings.Contains(words, "tensordatatype") {
		n, err := strconv.ParseUint(x[1], 10, 8)
		m.Type = tensormap.Type(n)
		return m, err == nil
	}
	got := reFound.FindAllStringSubmatch(reBound.ReplaceAllString(rest, ""), 8)
	if name == "" || len(got) == 0 || index > 4 {
		return m, false
	}
	last := got[len(got)-1]
	if name == "strides" {
		last = got[0]
	}
	x, err := strconv.ParseInt(last[1], 10, 64)
	if last[2] != "" {
		m.Type = typeOfSize(last[2], last[3])
	}
	return with(m, name, index, x), err == nil
}

// parameterOf returns the map parameter that a sentence names, or "", its index, and the text to search for the value.
func parameterOf(text string) (name string, index int, rest string) {
	if x := reIndexed.FindStringSubmatch(text); x != nil {
		return fieldOf(x[1]), int(x[2][0] - '0'), x[3]
	}
	words := strings.ToLower(text)
	for _, p := range parameterWords {
		if strings.Contains(words, p.words) {
			return p.name, 0, text
		}
	}
	return "", 0, text
}

// parameterWords maps words to parameters of a tensor map. The first entry that a sentence contains counts.
var parameterWords = []struct{ words, name string }{
	{"ndim", "rank"},
	{"tensorrank", "rank"},
	{"channelsperpixel", "channels"},
	{"pixelspercolumn", "pixels"},
	{"globaladdress", "address"},
	{"global address", "address"},
	{"last dimension", "box"},
}

// typeOfSize returns a type of the given size in bits or bytes.
func typeOfSize(size, unit string) tensormap.Type {
	n, err := strconv.ParseInt(size, 10, 64)
	if err != nil || n > 64 {
		return tensormap.UInt8
	}
	if !strings.HasPrefix(strings.ToLower(unit), "bit") {
		n *= 8
	}
	switch n {
	case 4:
		return tensormap.U4Align8
	case 16:
		return tensormap.UInt16
	case 32:
		return tensormap.UInt32
	case 64:
		return tensormap.UInt64
	}
	return tensormap.UInt8
}

// with sets one number of a map. It ignores a number for which the map has no place.
func with(m tensormap.Map, name string, i int, x int64) tensormap.Map {
	switch name {
	case "box":
		if i < len(m.Box) {
			m.Box[i] = x
		}
	case "dims":
		m.Dims[i] = x
	case "strides":
		m.Strides[min(i, 3)] = x
	case "steps":
		m.Steps = lengthen(1, nil, 5)
		m.Steps[i] = x
	case "channels":
		m.Channels = x
	case "pixels":
		m.Pixels = x
	case "rank":
		n := int(min(max(x, 0), 64))
		m.Dims, m.Strides = lengthen(128, nil, n), lengthen(1<<20, nil, max(n-1, 0))
		if m.Mode == tensormap.Tiled {
			m.Box = lengthen(1, []int64{128}, n)
		} else {
			m.Lower, m.Upper = make([]int64, max(n-2, 0)), make([]int64, max(n-2, 0))
		}
	}
	return m
}
