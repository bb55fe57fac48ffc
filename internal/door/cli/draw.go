package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"girih/internal/file"
	"girih/internal/service"
	"girih/internal/terminal"
)

// drawCommand writes a picture to a file or to the terminal.
func drawCommand(c *command) {
	request := c.request.(*service.DrawRequest)
	var file, width string
	var coords bool
	var set []string
	f := c.Flags()
	f.StringVarP(&file, "output", "o", "", "the `FILE` to write, - for the standard output")
	f.BoolVar(&coords, "coords", false, "label all axes with coordinates, also axes of modes that are not nested")
	f.StringVar(&width, "width", "", "the width of txt in `COLUMNS`; by default the width of the terminal, or the variable "+
		"COLUMNS; wider pictures are cut into pages")
	f.StringSliceVar(&set, "set", nil, "give run-time integers their values, as in `M=64`,K=32")
	c.RunE = func(*cobra.Command, []string) error {
		values, err := service.ParseValues(set)
		if err != nil {
			return c.refuse("%v", err)
		}
		c.session.Set(values)
		if coords {
			request.Coords = "nested"
		}
		if err := drawFormat(c.Command, request, file, width); err != nil {
			return err
		}
		a := c.ask()
		if !a.OK || c.asJSON {
			return c.print(a)
		}
		return writePicture(c.Command, a.Response.(service.DrawResponse), file)
	}
}

// drawFormat sets the format and related options from the flags, the name of the file, and what the output
// can show.
func drawFormat(c *cobra.Command, req *service.DrawRequest, file, width string) error {
	toFile := file != "" && file != "-"
	if req.Format == "" {
		req.Format = "txt"
		if toFile {
			format, err := service.DrawFormatOf(file)
			if err != nil {
				return &usageError{msg: err.Error(), hint: seeHelp(c)}
			}
			req.Format = format
		}
	}
	onTerminal := !toFile && terminal.Is(c.OutOrStdout())
	if req.Color == "auto" {
		req.Color = "none"
		if onTerminal {
			req.Color = service.TerminalColor(os.Getenv)
		} else if !toFile {
			req.Color = service.PipeColor(os.Getenv)
		}
	}
	if !toFile {
		req.Width = terminal.Columns(c.OutOrStdout())
	}
	if width != "" {
		n, err := strconv.Atoi(width)
		if err != nil || n < 1 {
			return &usageError{msg: fmt.Sprintf("expected a number of columns above 0, found %q", width), hint: seeHelp(c)}
		}
		req.Width = n
	}
	if req.Format == "png" && onTerminal {
		return &usageError{msg: "a PNG is not for a terminal", hint: "Name a file with -o."}
	}
	return nil
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
	if r.Format != "txt" && terminal.Is(c.OutOrStdout()) { // the source may contain an arbitrary title
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
