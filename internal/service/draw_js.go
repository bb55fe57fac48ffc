package service

import (
	"errors"

	"girih/internal/lang/report"
	"girih/internal/picture/draw"
)

// In a browser the page makes the pixels of an SVG, and has no terminal. So the engine omits a font, its
// rasteriser and the pictures in text.

func encodePNG(*draw.Scene, float64) ([]byte, error) {
	return nil, errors.New("this build of the engine writes no PNG: ask for svg, which a browser turns into pixels")
}

func encodeSmall(s *draw.Scene) ([]byte, error) { return encodePNG(s, 1) }

func (DrawRequest) textEncoder() (func(*draw.Scene) ([]byte, error), *report.Error) {
	return nil, usage("this build of the engine draws no text: expected svg or tex")
}
