// Package hostile makes inputs that take all the time and memory there is: as large as the limits on sizes allow, or
// larger. Tests hold the engine and its doors to their limits with them.
package hostile
