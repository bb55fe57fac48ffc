//go:build !js

package service

import (
	"bytes"

	"girih/draw"
	"girih/draw/png"
)

// encodePNG returns a scene as a PNG of so many pixels for each point.
func encodePNG(s *draw.Scene, scale float64) ([]byte, error) {
	var b bytes.Buffer
	err := png.Encode(&b, s, scale)
	return b.Bytes(), err
}
