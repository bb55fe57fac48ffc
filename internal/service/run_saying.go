//go:build !js || programs

package service

import (
	"strings"

	"girih/internal/lang/document"
	"girih/internal/lang/eval"
	"girih/internal/lang/interp"
	"girih/internal/pattern"
)

// This file has general sentences of texts on CuTe that are false. Each row has a counterexample in girih's notation,
// and a test evaluates it.

// A saying is a sentence that is false of some layouts.
type saying struct {
	says    pattern.Pattern // the sentence, in English and in Chinese
	near    pattern.Pattern // what else the line must contain; "" for nothing
	unless  pattern.Pattern // words in the line that make the sentence true
	truth   string
	example string // a counterexample: an expression with the value true
}

// sayings are the rows of the table.
var sayings = []saying{
	{
		says:    `(?i)(?:coord\w*|坐标)\s*(?:·|\\cdot|\*)\s*stride\w*\s*=\s*s_\{?0\}?\s*(?:\\cdot|·|\*)?\s*d_\{?0\}?`,
		truth:   "an index is the coordinate times the stride, x_0 d_0 + x_1 d_1 + ..: (0,0) of (2,3):(3,1) has the index 0, shape times stride is 9",
		example: `crd2idx((0,0),(2,3):(3,1)) == 0`,
	},
	{
		says: `(?i)(?:2\^\{?n\}?|2\s*的\s*(?:n\s*次)?幂|powers? of (?:two|2))[^。]{0,60}?(?:整除[^。]{0,10}?(?:保障|保证|满足)|always (?:compos|admissib|work|divisib)|divisib\w* [^.]{0,30}?(?:guarantee|always|hold|satisf))`,
		near: `(?i)compos|复合|admissib`, unless: `(?i)injecti|单射`,
		truth:   "powers of two do not suffice: (2,2):(1,4) o (2,2):(1,1) has the values 0 1 1 4, and is no layout",
		example: `(2,2):(1,4)((2,2):(1,1)(3)) == 4`,
	},
	{
		says: `(?i)(?:都是|\ball (?:of them )?are)\s*rank[- ]sensitive`, near: `(?i)乘|product|layout x layout`, unless: `(?i)logical_product is not`,
		truth:   "only blocked_product and raked_product pair modes: logical_product((2,2):(4,1), 6:1), of rank 2 and 1, is ((2,2),(2,3)):((4,1),(2,8))",
		example: `logical_product((2,2):(4,1), 6:1) == ((2,2),(2,3)):((4,1),(2,8))`,
	},
	{
		says:    `(?i)非(?:全)?零的?行的?(?:数量|数目|个数|数)[^。]{0,12}?秩|number of (?:the )?(?:non-?zero|not all-zero) rows[^.]{0,40}?\brank\b|\brank\b[^.]{0,40}?number of (?:the )?non-?zero rows`,
		unless:  `(?i)echelon|reduced|阶梯|化简|消元|eliminat|permutation|\bnot\b|不等`,
		truth:   "rows may depend on each other: [1 1 / 1 1] has 2 rows that are not zero, and rank 1",
		example: `rank(matrix{rows=[[1,1],[1,1]]}) == 1`,
	},
	{
		says: `(?i)定义域(?:应该|应当|必须|应|需要|要)是?(?:互斥|不相交|不重叠)|\bdomains? (?:of [^.]{1,30} )?(?:must|should|have to|need to) be disjoint`,
		near: `(?i)拼接|concatenat`, unless: `(?i)codomain|陪域`,
		truth:   "the values must be apart, not the domains: 2:1 and 2:2 are both defined on 0 and 1, and join to the bijective (2,2):(1,2)",
		example: `make_layout(2:1, 2:2) == (2,2):(1,2)`,
	},
	{
		says:    `\^\{?\*\}?\s*=\s*\\begin\{[bp]matrix\}\s*[A-Z]\s*&\s*0?\s*\\\\\s*0?\s*&\s*I\s*\\end`,
		truth:   "[M 0 / 0 I] is the layout with its complement; the complement has the columns of I only: complement(2:1, 4) is 2:2, [0 / 1]",
		example: `matrix(complement(2:1, 4)) == matrix{rows=[[0],[1]]}`,
	},
	{
		says:    `(?i)(?:乘法|\bproduct)[^。.]{0,40}?(?:LayoutA|\bA)\s*(?:作为|为|is the|as the)\s*(?:外层|外|outer)[^。.]{0,20}?(?:LayoutB|\bB)\s*(?:作为|为|is the|as the)?\s*(?:内层|内|inner)`,
		truth:   "A is the inner mode, repeated along B: logical_product(4:1, 3:1) is (4,3):(1,4)",
		example: `logical_product(4:1, 3:1) == (4,3):(1,4)`,
	},
	{
		says:    `(?i)(?:\bH(?:opper)?\s*架构|\bHopper(?: architecture)?)[^。;]{0,12}?(?:输入(?:数据)?|the inputs|both inputs)\s*(?:都|always|are|must be)*\s*(?:在|in|from)\s*(?:the )?(?:SMEM|shared memory|共享内存)`,
		unless:  `(?i)\bRS\b|寄存器|register|\bmay\b|\bcan\b`,
		truth:   "only B is always in shared memory: A of the instructions ..RS is in registers",
		example: `tv("SM90_64x128x16_F16F16F16_RS", A) == ((4,8,4),(2,2,2)):((128,1,16),(64,8,512))`,
	},
	{
		says: `(?i)A\s*(?:o|∘|◦|\\circ)\s*\(B_?\{?0\}?,\s*B_?\{?1\}?[^)]*\)\s*=\s*\(A\s*(?:o|∘|◦|\\circ)\s*B_?\{?0\}?,\s*A\s*(?:o|∘|◦|\\circ)\s*B_?\{?1\}?` +
			`|左分配律|left[- ]distributive`,
		near: `(?i)injecti|单射|\.\.\.|…`, unless: `(?i)divisib|整除|admissib|\bnot\b|不(?:是|满足)`,
		truth:   "not even for every injective B: (6,2):(1,7) o (3,2):(2,3) has 8 at index 5, and its parts side by side, (3,2):(2,3), have 7",
		example: `(6,2):(1,7)((3,2):(2,3)(5)) == 8`,
	},
}

// sayings checks a line for sentences of the table, and for claims on the instructions of Hopper.
func (d *documentRun) sayings(l document.Line) {
	for _, s := range sayings {
		m := s.says.FindString(l.Text)
		if m == "" || s.near != "" && !s.near.MatchString(l.Text) || s.unless != "" && s.unless.MatchString(l.Text) {
			continue
		}
		d.record(&Slip{Line: l.Number, Stated: m, Computed: s.example, Words: s.truth})
	}
	if m := extentsN.FindStringSubmatch(l.Text); m != nil {
		d.extentsN(l, m[1])
	}
	if wholeTile.MatchString(l.Text) {
		d.p.pending = append(d.p.pending, func(values []interp.Watched) {
			if d.p.line <= l.Number+maxBelow {
				d.wholeTile(values)
			}
		})
	}
}

const (
	// The list of all extents N of the instructions of warpgroups.
	extentsN = pattern.Pattern(`(?i)(?:GMMA|64\s*[x×]\s*N)[^。.]{0,60}?N\s*(?:可以取|可取|可以是|can be|can only be|may be|is one of|∈|\\in)\s*[\[{]([\d\s,，]+)[\]}]`)
	// A layout of an operand whose whole tile every thread has.
	wholeTile   = pattern.Pattern(`(?i)(?:SMEM|shared memory|共享内存)[^\n]{0,40}?(?:所有的?线程|all (?:the )?threads|every thread)[^\n]{0,60}?[AB]Layout`)
	operandName = pattern.Pattern(`^[AB]Layout`)
)

// extentsN checks a list of all extents N: the multiples of 8 up to 256.
func (d *documentRun) extentsN(l document.Line, text string) {
	slip := Slip{Line: l.Number, Name: "N", Stated: "[" + strings.TrimSpace(text) + "]", Computed: multiplesOf8}
	if strings.Join(number.FindAllString(text, -1), " ") != multiplesOf8 {
		slip.Words = "N is any multiple of 8 up to 256"
	}
	d.record(&slip)
}

const multiplesOf8 = "8 16 24 32 40 48 56 64 72 80 88 96 104 112 120 128 136 144 152 160 168 176 184 192 200 208 216 224 232 240 248 256"

// wholeTile checks that in a layout of an operand in shared memory all threads have the whole tile.
func (d *documentRun) wholeTile(values []interp.Watched) {
	for _, w := range values {
		layout, ok := w.Result.Value.(eval.Layout)
		if !ok || layout.Rank() != 2 || !operandName.MatchString(w.Name) {
			continue
		}
		threads, _ := layout.Mode(0)
		slip := Slip{Line: d.lineOf(w), Name: w.Name, Stated: w.Text, Computed: "threads of stride 0"}
		if at, err := threads.At(1); threads.Size() > 1 && (err != nil || at != 0) {
			slip.Words = "threads 0 and 1 begin at different elements: this is a layout of registers"
		}
		d.record(&slip)
	}
}
