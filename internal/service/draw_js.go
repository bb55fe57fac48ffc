package service

import (
	"errors"

	"girih/draw"
)

// encodePNG refuses: in a browser the page makes the pixels of an SVG, and the engine is smaller by a font and its rasteriser.
func encodePNG(*draw.Scene, float64) ([]byte, error) {
	return nil, errors.New("this build of the engine writes no PNG: ask for svg, which a browser turns into pixels")
}
