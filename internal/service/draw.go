package service

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/report"
	"girih/internal/picture/draw"
	"girih/internal/picture/svg"
	"girih/internal/picture/tikz"
	"girih/internal/picture/view"
)

// drawOperation is the row of pictures.
func drawOperation() Operation {
	return Operation{
		Name: "draw", Doc: "Draw a value: SVG, PNG, TikZ, or text in the terminal", Programs: true,
		Words: map[string][]Word{
			"as": pictureWords(), "format": wordsOf(DrawFormats()...), "theme": wordsOf("light", "dark", "classic"),
			"coords":   wordsOf("auto", "index", "nested"),
			"color_by": wordsOf("auto", "offset", "thread", "warp", "vector", "none", "value", "bank", "group"),
			"operand":  wordsOf("A", "B", "C"), "target": TargetWords(),
		},
		Tool: &ToolDoc{
			Title: "Draw a value",
			Brief: "a picture of a value: layouts, swizzles, instructions, copies, bank conflicts, operations.",
			Smaller: "ask for format png or txt, fix modes, a smaller tile, or fewer labelled cells with max_cells; of a " +
				"PNG, a smaller scale",
			Doc: "A picture: a layout as a grid of offsets, a swizzle before and after, an MMA instruction or tiled_mma as " +
				"three panels, a copy as source and destination, with accesses their banks and conflicts, an operation with " +
				"what happens. See help draw.",
		},
		Command: &Command{
			Use:   "draw EXPR [-o FILE]",
			Args:  []string{"expr"},
			Wrong: "expected one expression, found %d",
			Flags: drawFlags(),
			Long:  drawHelp(),
			Example: `  girih draw '((2,2),(4,2)):((1,8),(2,16))'
  girih draw 'Sw<3,3,3> o 0 o (8,64):(64,1)' --type f16
  girih draw SM80_16x8x16_F32F16F16F32_TN
  girih draw '((4,8),(2,2)):((32,1),(16,8))' --tv 16,8 --format svg
  girih draw '(8,8,2,3):(1,8,64,128)' --fix '(_,_,1,_)' --theme classic
  girih draw '(4,(2,2)):(1,(8,4))' -o layout.png`,
		},
		Form: &Form{
			Examples: []any{
				DrawRequest{Expr: "((2,2),(4,2)):((1,8),(2,16))", Format: "txt"},
				DrawRequest{Expr: "Sw<3,3,3> o 0 o (8,64):(64,1)", Type: "f16", Format: "txt"},
				DrawRequest{Expr: "SM80_16x8x16_F32F16F16F32_TN", Format: "txt"},
			},
			Picture: func(request any) *DrawRequest { return request.(*DrawRequest) },
		},
		do: method[DrawRequest, DrawResponse]{
			do: (*Session).Draw,
			said: func(_ DrawRequest, r DrawResponse, _ Door) Answer {
				a := Answer{
					Fault: r.Fault, OK: r.OK, Text: func() string { return r.Text }, Notes: r.Notes, Error: r.Error,
					Whole: r.OK,
				}
				if r.Data != nil {
					a.Text = func() string { return strings.TrimSpace(r.Value+"\n"+r.Desc) + "\n" }
					a.Pictures = [][]byte{r.Data}
				}
				return a
			},
			assumed: func(q *DrawRequest) {
				if q.small = true; q.Format == "" {
					q.Format = "png"
				}
			},
		}.caller(),
	}
}

// drawFlags are the flags of girih draw.
func drawFlags() []Flag {
	return []Flag{
		{Field: "format", Usage: "the `FORMAT`: svg, png, tex or txt"},
		{Field: "as", Usage: "the `KIND` of picture, one of those above"},
		{Field: "theme", Default: "light", Usage: "the `THEME`: light, dark or classic, the colors of CUTLASS"},
		{Field: "title", Usage: "the `TEXT` above the picture, instead of the value"},
		{
			Field: "coords", Name: "labels", Default: "auto",
			Usage: "the `LABELS` of axes: index, nested, or auto for coordinates of nested modes only",
		},
		{
			Field: "color_by", Name: "color-by", Default: "auto",
			Usage: "what the fill is: `WHAT` is offset, bank or group (of 4 banks, with --type), thread, warp, value, " +
				"vector or none",
		},
		{Field: "fix", Usage: "the modes to fix, as a `COORD` such as '(_,_,0,1)'"},
		{Field: "extents", Usage: "`EXTENTS` of the tensor whose last tile --as predicate draws"},
		{Field: "tile", Name: "tv", Usage: "read a layout as (thread, value) -> element of a tile of this `SHAPE`, " +
			"such as 16,8"},
		{Field: "operand", Usage: "the `OPERAND` of an MMA for --as tv and hardware, and of --descriptor: A, B or C"},
		{Field: "instr", Name: "descriptor", Usage: "draw how an `INSTRUCTION`, wgmma, tcgen05 or one by its name, reads the layout " +
			"from shared memory"},
		{Field: "accesses", Name: "bank", Usage: "draw the shared memory banks of an `ACCESS`, such as ldmatrix.x4; " +
			"may be repeated"},
		{Field: "threads", Usage: "which elements the threads of --bank access: rows, cols or a thread-value `LAYOUT`"},
		{Field: "target", Usage: "the `MACHINE` of --bank, such as sm90"},
		{Field: "type", Usage: "the `TYPE` of the elements, such as f16"},
		{Field: "max_cells", Name: "max-cells", Usage: "the `NUMBER` of cells up to which each has its label (default 4096)"},
		{Field: "scale", Usage: "the pixels of a PNG for each point (default 2, or 1 for large pictures)"},
		{Field: "color", Default: "auto", Usage: "the colors of txt: `COLORS` is auto, none, 256 or truecolor"},
	}
}

// drawHelp is the prose of girih draw --help.
func drawHelp() string {
	return `Draw the value of an expression. The picture fits the value: a layout is a grid of its
offsets, a swizzle is shown before and after, an MMA instruction or a tiled_mma as
its three panels, a copy as source and destination, an encoding as its tensor with
the owner of each element. --as names another picture:

` + pictureTable() + `
-o names the file; its ending says the format, svg, png, tex (TikZ) or txt, unless
--format does. Without -o the picture goes to the standard output: as text, in the
colors that the terminal has, unless --format says otherwise.`
}

// pictureWords are the kinds of pictures.
func pictureWords() []Word {
	var words []Word
	for _, p := range Pictures() {
		words = append(words, Word{Name: p.Kind})
	}
	return words
}

// pictureTable lists the kinds of pictures and what they show.
func pictureTable() string {
	var b strings.Builder
	for _, p := range Pictures() {
		head := fmt.Sprintf("  %-12s ", p.Kind)
		b.WriteString(Wrap(p.Doc, 86, head, strings.Repeat(" ", len(head))))
	}
	return b.String()
}

// A DrawRequest asks for a picture of a value.
type DrawRequest struct {
	Expr   string `json:"expr" jsonschema:"any value, or the name of an instruction" brief:"or the name of an instruction"`
	As     string `json:"as,omitempty" jsonschema:"the kind; the default of the value if empty" brief:"kind; help draw describes them"`
	Format string `json:"format,omitempty" jsonschema:"png, an image, if empty; txt can be read as text, svg and tex are source" brief:"png if empty"`
	Theme  string `json:"theme,omitempty" jsonschema:"light if empty; classic has the colors of CUTLASS" brief:"-"`
	Title  string `json:"title,omitempty" jsonschema:"in place of the value" brief:"-"`

	Coords   string `json:"coords,omitempty" jsonschema:"the labels of axes" brief:"axis labels"`
	ColorBy  string `json:"color_by,omitempty" jsonschema:"what the fill says; bank and group (of 4 banks) need type" brief:"bank and group need type"`
	Fix      string `json:"fix,omitempty" jsonschema:"modes of a value with many: (_,_,0,1)" brief:"further modes: (_,_,0,1)"`
	MaxCells int    `json:"max_cells,omitempty" jsonschema:"up to how many cells each is labelled; 4096 if 0" brief:"labelled cells; 4096 if 0"`

	Tile    string `json:"tile,omitempty" tool:"shape,integers" jsonschema:"of the tile of a thread-value layout, or of an encoding's tensor" brief:"of a thread-value layout's tile, or of an encoding's tensor"`
	Extents string `json:"extents,omitempty" tool:"-" jsonschema:"of the tensor whose last tile is drawn as predicate: (M,77)"`
	Operand string `json:"operand,omitempty" jsonschema:"of an MMA, for a picture of one operand" brief:"one operand of an MMA"`

	Instr string `json:"instr,omitempty" jsonschema:"draws how it reads the layout from shared memory: wgmma, tcgen05, or an instruction by its name" brief:"wgmma, tcgen05: how it reads shared memory"`

	Type     string   `json:"type,omitempty" jsonschema:"of the elements: f16" brief:"-"`
	Accesses []string `json:"accesses,omitempty" jsonschema:"to shared memory, as of bank: draws their banks" brief:"as in bank: draws banks"`
	Threads  []string `json:"threads,omitempty" jsonschema:"as of bank" brief:"-"`
	Target   string   `json:"target,omitempty" jsonschema:"the machine; sm90 if empty" brief:"-"`

	Scale float64 `json:"scale,omitempty" jsonschema:"pixels of a PNG for each point; 2, or 1 of a large one, if 0" brief:"pixels of a PNG per point"`
	Color string  `json:"color,omitempty" tool:"-"` // the colours of txt: none, 256 or truecolor; empty for none
	Width int     `json:"width,omitempty" tool:"-"` // the width of txt in columns; 0 for as wide as the picture

	small bool // the PNG is for an assistant, who reads all of it
}

// A DrawResponse is the picture.
type DrawResponse struct {
	OK     bool          `json:"ok"`               // there is an answer
	Kind   string        `json:"kind,omitempty"`   // the kind of the value
	Value  string        `json:"value,omitempty"`  // the canonical text of the value
	As     string        `json:"as,omitempty"`     // the kind of picture
	Format string        `json:"format,omitempty"` // svg, png, tex or txt
	Width  float64       `json:"width,omitempty"`  // the width of the picture in points
	Height float64       `json:"height,omitempty"` // the height of the picture in points
	Desc   string        `json:"desc,omitempty"`   // the captions of the picture
	Text   string        `json:"text,omitempty"`   // the picture, if its format is text
	Data   []byte        `json:"data,omitempty"`   // the picture, if its format is binary
	Notes  []string      `json:"notes,omitempty"`  // what a reader of the answer should know
	Error  *report.Error `json:"error,omitempty"`  // why there is no answer

	Fault `json:"-"`
}

// Bytes returns the picture as the content of a file.
func (r DrawResponse) Bytes() []byte {
	if r.Data != nil {
		return r.Data
	}
	return []byte(r.Text)
}

// DrawFormats returns the names of the formats.
func DrawFormats() []string { return []string{"svg", "png", "tex", "txt"} }

// DrawFormatOf returns the format given by the suffix of a file name. The error says what was expected.
func DrawFormatOf(file string) (string, error) {
	ext := strings.ToLower(strings.TrimPrefix(filepath.Ext(file), "."))
	if format, ok := drawFormat(ext); ok && ext != "" {
		return format, nil
	}
	return "", fmt.Errorf("expected a file name that ends in .%s, or --format; found %q",
		strings.Join(DrawFormats(), ", ."), file)
}

// drawFormat reads the name of a format.
func drawFormat(name string) (string, bool) {
	switch name = strings.ToLower(name); name {
	case "":
		return "svg", true
	case "tikz":
		return "tex", true
	case "text":
		return "txt", true
	}
	return name, slices.Contains(DrawFormats(), name)
}

// Draw evaluates the program and draws the value of its last statement, or the operation that made it.
func (s *Session) Draw(req DrawRequest) DrawResponse {
	format, ok := drawFormat(req.Format)
	if !ok {
		return DrawResponse{
			Error: usage("expected a format, one of %s, found %.40q", strings.Join(DrawFormats(), ", "),
				req.Format), Fault: Fault{Usage: true},
		}
	}
	opts, info := req.options()
	if info != nil {
		return DrawResponse{Error: info, Fault: Fault{Usage: true}}
	}
	encode, info := req.encoder(format)
	if info != nil {
		return DrawResponse{Error: info, Fault: Fault{Usage: true}}
	}
	if format == "txt" {
		opts.Columns = cmp.Or(req.Width, pageColumns)
	}
	d := &drawJob{session: s, req: req, opts: opts}
	p, fault, info := d.picture()
	if info != nil {
		return DrawResponse{Error: info, Fault: fault, Notes: d.notes}
	}
	scene, err := p.draw(d)
	if err != nil {
		return DrawResponse{Error: report.Whole(err, req.Expr), Fault: Fault{In: req.Expr, Usage: d.usage}, Notes: d.notes}
	}
	if scene.Title == "" {
		scene.Title = d.text()
	}
	r := DrawResponse{
		OK: true, As: p.Kind, Format: format, Width: scene.W, Height: scene.H, Desc: scene.Desc,
		Notes: d.notes,
	}
	if d.value != nil {
		r.Kind, r.Value = string(d.value.Kind()), d.value.String()
	}
	data, err := encode(scene)
	if err != nil {
		hint := "a smaller scale, or the format svg, which has no pixels"
		if req.small {
			hint = "a part of the value, fewer labelled cells (max_cells), or the format svg, which has no pixels"
		}
		return DrawResponse{
			Error: &report.Error{Code: string(cute.CodeLimit), Message: err.Error(), Hint: hint}, Notes: d.notes,
		}
	}
	if format == "png" {
		r.Data = data
	} else {
		r.Text = string(data)
	}
	return r
}

// pageColumns is the width at which the prose of a picture in text is wrapped if the request gives no width.
const pageColumns = 100

// options returns the options of package view.
func (r DrawRequest) options() (view.Options, *report.Error) {
	o := view.Options{Title: r.Title, MaxCells: r.MaxCells}
	var err error
	if o.Theme, err = draw.FindTheme(r.Theme); err != nil {
		return o, usage("%v", err)
	}
	if o.ColorBy, err = view.ParseColorBy(r.ColorBy); err != nil {
		return o, usage("%v", err)
	}
	banked := o.ColorBy == view.ColorAuto || o.ColorBy == view.ColorBank || o.ColorBy == view.ColorGroup
	if banked && r.Type != "" {
		t, info := elementType(r.Type)
		if info != nil {
			return o, info
		}
		o.ElemBits = t.Bits()
	}
	switch strings.ToLower(r.Coords) {
	case "", "auto":
	case "index":
		o.Labels = view.LabelsIndex
	case "nested":
		o.Labels = view.LabelsNested
	default:
		return o, usage("expected the labels of the axes, auto, index or nested, found %.40q", r.Coords)
	}
	if r.MaxCells < 0 || r.MaxCells > view.DrawnCells {
		return o, usage("expected a number of labelled cells from 1 to %d, found %d", view.DrawnCells, r.MaxCells)
	}
	if r.Fix != "" {
		if o.Fix, err = cute.ParseCoord(r.Fix); err != nil {
			return o, usage("expected the modes to fix as a coordinate such as (_,_,0,1), found %.60q: %v", r.Fix, err)
		}
	}
	return o, nil
}

// encoder returns what writes a scene in the format.
func (r DrawRequest) encoder(format string) (func(*draw.Scene) ([]byte, error), *report.Error) {
	switch format {
	case "png":
		if r.Scale < 0 || r.Scale > maxScale || r.Scale != r.Scale {
			return nil, usage("expected a scale above 0 and up to %d, found %g", maxScale, r.Scale)
		}
		return func(s *draw.Scene) ([]byte, error) {
			scale := r.Scale
			if scale == 0 && r.small {
				return encodeSmall(s)
			}
			if scale == 0 {
				scale = 2
				if max(s.W, s.H) > 1500 {
					scale = 1
				}
			}
			return encodePNG(s, scale)
		}, nil
	case "tex":
		return func(s *draw.Scene) ([]byte, error) { return tikz.Append(nil, s), nil }, nil
	case "txt":
		return r.textEncoder()
	}
	return func(s *draw.Scene) ([]byte, error) { return svg.Append(nil, s), nil }, nil
}

// SmallPicture limits a PNG for assistants, in bytes, and smallWidth in pixels: larger ones are scaled down before an
// assistant sees them.
const (
	SmallPicture = 150_000
	smallWidth   = 1000
)

// maxScale is the largest number of pixels of a point.
const maxScale = 16

// A drawJob is a request to draw: the value, the operation that made the value, and the options.
type drawJob struct {
	session *Session
	req     DrawRequest
	opts    view.Options
	value   eval.Value // nil if the last operation failed
	// op is the operation that made the value, or failed, with its operands; nil if there is no such
	// operation.
	op    *eval.Application
	notes []string
	usage bool // the error is about the request, not the expression
}

// picture evaluates the program and returns the picture of its value.
func (d *drawJob) picture() (*Picture, Fault, *report.Error) {
	var p *Picture
	if d.req.As != "" {
		if p = findPicture(d.req.As); p == nil {
			return nil, Fault{Usage: true}, noPicture(d.req.As)
		}
	}
	info := d.evaluate()
	switch {
	case info != nil && (p == nil || !p.failed || d.op == nil || d.op.Err == nil):
		return nil, Fault{In: d.req.Expr}, info
	case info == nil && d.value == nil:
		return nil, Fault{In: d.req.Expr}, report.Of(report.ErrNothing)
	case p != nil && p.Kind != pictureOfValue:
		return p, Fault{}, nil
	}
	choose := d.byDefault
	if p != nil {
		choose = d.ofValue
	}
	kind, err := choose()
	if err != nil {
		return nil, Fault{In: d.req.Expr}, report.Whole(err, d.req.Expr)
	}
	return findPicture(kind), Fault{}, nil
}

// evaluate sets the value and the operation.
func (d *drawJob) evaluate() *report.Error {
	d.session.env.Trace(func(a eval.Application) {
		a.Args = slices.Clone(a.Args)
		d.op = &a
	})
	last, notes, info := d.session.few("draw", d.req.Expr)
	d.session.env.Trace(nil)
	d.notes = notes
	if info != nil {
		return info
	}
	d.value = last.Value
	if d.op != nil && (d.value == nil || d.op.Value == nil || d.op.Value.String() != d.value.String()) {
		d.op = nil // a literal or a name is not the result of an operation
	}
	return nil
}

// text returns the value, or the operation that failed.
func (d *drawJob) text() string {
	if d.value != nil {
		return d.value.String()
	}
	return d.req.Expr
}
