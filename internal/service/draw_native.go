//go:build !js

package service

import (
	"bytes"
	"strings"

	"girih/internal/lang/report"
	"girih/internal/picture/draw"
	"girih/internal/picture/png"
	"girih/internal/picture/term"
)

// encodePNG returns a scene as a PNG with scale pixels for each point.
func encodePNG(s *draw.Scene, scale float64) ([]byte, error) {
	var b bytes.Buffer
	err := png.Encode(&b, s, scale)
	return b.Bytes(), err
}

// encodeSmall returns a scene as a PNG for assistants.
func encodeSmall(s *draw.Scene) ([]byte, error) {
	return png.EncodeWithin(s, png.Limits{Width: smallWidth, Bytes: SmallPicture})
}

// textEncoder returns what writes a scene as text.
func (r DrawRequest) textEncoder() (func(*draw.Scene) ([]byte, error), *report.Error) {
	o := term.Options{Width: r.Width}
	switch strings.ToLower(r.Color) {
	case "", "none":
	case "256":
		o.Color = term.Color256
	case "truecolor":
		o.Color = term.TrueColor
	default:
		return nil, usage("expected the colors of text, none, 256 or truecolor, found %.40q", r.Color)
	}
	return func(s *draw.Scene) ([]byte, error) { return term.Append(nil, s, o), nil }, nil
}

// TerminalColor returns the colors that a terminal shows, none, 256 or truecolor, from the environment.
func TerminalColor(env func(string) string) string { return term.TerminalDepth(env).String() }

// PipeColor returns the colors of an output that is not a terminal: none unless the environment forces
// colors.
func PipeColor(env func(string) string) string { return term.PipeDepth(env).String() }
