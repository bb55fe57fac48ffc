package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"girih/internal/file"
	"girih/internal/service"
	"girih/internal/terminal"
)

func drawCommand() *cobra.Command {
	var req service.DrawRequest
	var file, width string
	var coords, asJSON bool
	var set []string
	c := &cobra.Command{
		Use:   "draw EXPR [-o FILE]",
		Short: "Draw a value: SVG, PNG, TikZ, or text in the terminal",
		Long: `Draw the value of an expression. The picture fits the value: a layout is a grid of its
offsets, a swizzle is shown before and after, an MMA instruction or a tiled_mma as
its three panels, a copy as source and destination, an encoding as its tensor with
who holds what. --as names another picture:

` + pictureTable() + `
-o names the file; its ending says the format, svg, png, tex (TikZ) or txt, unless
--format does. Without -o the picture goes to the standard output: as text, in the
colors that the terminal has, unless --format says otherwise.`,
		Example: `  girih draw '((2,2),(4,2)):((1,8),(2,16))'
  girih draw 'Sw<3,3,3> o 0 o (8,64):(64,1)' --type f16
  girih draw SM80_16x8x16_F32F16F16F32_TN
  girih draw '((4,8),(2,2)):((32,1),(16,8))' --tv 16,8 --format svg
  girih draw '(8,8,2,3):(1,8,64,128)' --fix '(_,_,1,_)' --theme classic
  girih draw '(4,(2,2)):(1,(8,4))' -o layout.png`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{msg: fmt.Sprintf("expected one expression, found %d", len(args)), hint: seeHelp(c)}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			var s service.Session
			values, err := service.ParseValues(set)
			if err != nil {
				return &usageError{msg: err.Error(), hint: seeHelp(c)}
			}
			s.Set(values)
			req.Expr = args[0]
			if coords {
				req.Coords = "nested"
			}
			if err := drawFormat(c, &req, file, width); err != nil {
				return err
			}
			r := s.Draw(req)
			if !r.OK || asJSON {
				return reply{response: r, ok: r.OK, notes: r.Notes, fault: r.Fault, err: r.Error}.print(c, asJSON)
			}
			return writePicture(c, r, file)
		},
	}
	f := c.Flags()
	f.StringVarP(&file, "output", "o", "", "the `FILE` to write, - for the standard output")
	f.StringVar(&req.Format, "format", "", "the `FORMAT`: svg, png, tex or txt")
	f.StringVar(&req.As, "as", "", "the `KIND` of picture, one of those above")
	f.StringVar(&req.Theme, "theme", "light", "the `THEME`: light, dark or classic, the colors of CUTLASS")
	f.StringVar(&req.Title, "title", "", "the `TEXT` above the picture, instead of the value")
	f.BoolVar(&coords, "coords", false, "label all axes with coordinates, those of modes that are not nested too")
	f.StringVar(&req.Coords, "labels", "auto", "the `LABELS` of axes: index, nested, or auto for coordinates of nested modes only")
	f.StringVar(&req.ColorBy, "color-by", "auto", "what the fill is: `WHAT` is offset, bank or group (of 4 banks, with --type), thread, warp, value, vector or none")
	f.StringVar(&req.Fix, "fix", "", "the modes to fix, as a `COORD` such as '(_,_,0,1)'")
	f.StringVar(&req.Tile, "tv", "", "read a layout as (thread, value) -> element of a tile of this `SHAPE`, such as 16,8")
	f.StringVar(&req.Operand, "operand", "", "the `OPERAND` of an MMA for --as tv and hardware: A, B or C")
	f.StringArrayVar(&req.Accesses, "bank", nil, "draw the shared memory banks of an `ACCESS`, such as ldmatrix.x4; may be repeated")
	f.StringArrayVar(&req.Threads, "threads", nil, "which elements the threads of --bank access: rows, cols or a thread-value `LAYOUT`")
	f.StringVar(&req.Target, "target", "", "the `MACHINE` of --bank, such as sm90")
	f.StringVar(&req.Type, "type", "", "the `TYPE` of the elements, such as f16")
	f.IntVar(&req.MaxCells, "max-cells", 0, "the `NUMBER` of cells up to which each has its label (default 4096)")
	f.Float64Var(&req.Scale, "scale", 0, "the pixels of a PNG for each point (default 2, or 1 for large pictures)")
	f.StringVar(&req.Color, "color", "auto", "the colors of txt: `COLORS` is auto, none, 256 or truecolor")
	f.StringVar(&width, "width", "", "the width of txt in `COLUMNS`, that of the terminal, or of the variable COLUMNS; wider pictures are cut into pages")
	f.StringSliceVar(&set, "set", nil, "give run-time integers their values, as in `M=64`,K=32")
	jsonFlag(c, &asJSON)
	return c
}

// pictureTable lists the kinds of pictures.
func pictureTable() string {
	var b strings.Builder
	for _, p := range service.Pictures() {
		head := fmt.Sprintf("  %-12s ", p.Kind)
		b.WriteString(service.Wrap(p.Doc, 86, head, strings.Repeat(" ", len(head))))
	}
	return b.String()
}

// drawFormat sets the format and what goes with it: from the flags, the name of the file, and what the output can show.
func drawFormat(c *cobra.Command, req *service.DrawRequest, file, width string) error {
	toFile := file != "" && file != "-"
	if req.Format == "" && toFile {
		format, err := service.DrawFormatOf(file)
		if err != nil {
			return &usageError{msg: err.Error(), hint: seeHelp(c)}
		}
		req.Format = format
	} else if req.Format == "" {
		req.Format = "txt"
	}
	onTerminal := !toFile && terminal.Is(c.OutOrStdout())
	if req.Color == "auto" {
		req.Color = "none"
		if !toFile {
			req.Color = service.TerminalColor(os.Getenv, onTerminal)
		}
	}
	if width != "" {
		n, err := strconv.Atoi(width)
		if err != nil || n < 1 {
			return &usageError{msg: fmt.Sprintf("expected a number of columns above 0, found %q", width), hint: seeHelp(c)}
		}
		req.Width = n
	} else if !toFile {
		req.Width = terminalWidth(c.OutOrStdout())
	}
	if req.Format == "png" && onTerminal {
		return &usageError{msg: "a PNG is not for a terminal", hint: "Name a file with -o."}
	}
	return nil
}

// terminalWidth returns the columns of a terminal: what it says, or the variable COLUMNS, or 0 if neither does.
func terminalWidth(w io.Writer) int {
	if f, ok := terminal.File(w); ok {
		if n := screenColumns(f); n > 0 {
			return n
		}
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return 0
}

// writePicture writes the picture to the file, or to the standard output.
func writePicture(c *cobra.Command, r service.DrawResponse, name string) error {
	printNotes(c.ErrOrStderr(), r.Notes)
	if name != "" && name != "-" {
		return writeFile(name, r.Bytes())
	}
	picture := r.Bytes()
	if r.Format != "png" && !bytes.HasSuffix(picture, []byte("\n")) {
		picture = append(picture, '\n')
	}
	if r.Format != "txt" && terminal.Is(c.OutOrStdout()) { // source, which may have any title
		return write(c, string(picture))
	}
	return writeRaw(c, picture)
}

// writeFile writes a picture to a file.
func writeFile(name string, content []byte) error {
	err := file.Replace(name, content, 0o644)
	if errors.Is(err, file.ErrNotAFile) {
		return &usageError{msg: err.Error(), hint: "-o - writes to the standard output, and from there anywhere."}
	}
	if err != nil {
		return &writeError{err: err}
	}
	return nil
}
