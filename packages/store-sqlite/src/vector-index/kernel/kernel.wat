;; What is done with every row, in SIMD: the scan over one segment of bit vectors, and the dot product of one coarse vector.
;; `plain.ts` says the same in JavaScript, and the tests hold the two together. `assembled.ts` is this file assembled;
;; `vitest run -u` beside it writes it anew.
(module
  (import "env" "memory" (memory 1 65536 shared))

  ;; Writes slot and Hamming distance (two i32) of every slot whose bit is set in the mask and whose row is no farther
  ;; from the query than `within`, counts it at its distance, and gives how many they are.
  ;; A row takes `bytes`, a multiple of 16; `slots` is a multiple of 32.
  (func (export "scan")
    (param $query i32) (param $rows i32) (param $mask i32) (param $slots i32) (param $bytes i32) (param $within i32)
    (param $found i32) (param $counts i32) (result i32)
    (local $first i32)    ;; slot of the mask word's lowest bit
    (local $word i32)     ;; what is left of the mask word
    (local $slot i32) (local $distance i32)
    (local $at i32) (local $end i32) (local $fold i32) (local $asked i32) (local $count i32)
    (local $lanes v128) (local $sum v128)

    (local.set $count (local.get $found))
    (loop $words
      (local.set $word (i32.load (i32.add (local.get $mask) (i32.shr_u (local.get $first) (i32.const 3)))))
      (block $emptied
        (loop $bits
          (br_if $emptied (i32.eqz (local.get $word)))
          (local.set $slot (i32.add (local.get $first) (i32.ctz (local.get $word))))
          (local.set $word (i32.and (local.get $word) (i32.sub (local.get $word) (i32.const 1))))

          (local.set $at (i32.add (local.get $rows) (i32.mul (local.get $slot) (local.get $bytes))))
          (local.set $end (i32.add (local.get $at) (local.get $bytes)))
          (local.set $asked (local.get $query))
          (local.set $sum (v128.const i32x4 0 0 0 0))
          (loop $folds
            ;; A byte lane gains at most 8 in a step, so it holds 31 of them before it overflows.
            (local.set $fold (i32.add (local.get $at) (i32.const 496)))
            (if (i32.gt_u (local.get $fold) (local.get $end)) (then (local.set $fold (local.get $end))))
            (local.set $lanes (v128.const i32x4 0 0 0 0))
            (loop $steps
              (local.set $lanes (i8x16.add (local.get $lanes)
                (i8x16.popcnt (v128.xor (v128.load (local.get $at)) (v128.load (local.get $asked))))))
              (local.set $at (i32.add (local.get $at) (i32.const 16)))
              (local.set $asked (i32.add (local.get $asked) (i32.const 16)))
              (br_if $steps (i32.lt_u (local.get $at) (local.get $fold))))
            (local.set $sum (i32x4.add (local.get $sum)
              (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $lanes)))))
            (br_if $folds (i32.lt_u (local.get $at) (local.get $end))))
          (local.set $distance (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
            (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))

          (br_if $bits (i32.gt_s (local.get $distance) (local.get $within)))
          (i32.store (local.get $count) (local.get $slot))
          (i32.store offset=4 (local.get $count) (local.get $distance))
          (local.set $count (i32.add (local.get $count) (i32.const 8)))
          (local.set $at (i32.add (local.get $counts) (i32.shl (local.get $distance) (i32.const 2))))
          (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))
          (br $bits)))
      (local.set $first (i32.add (local.get $first) (i32.const 32)))
      (br_if $words (i32.lt_u (local.get $first) (local.get $slots))))
    (i32.shr_u (i32.sub (local.get $count) (local.get $found)) (i32.const 3)))

  ;; The dot product of a query (i16, up to 2047 and down to -2047) and a row (i8) of `bytes`, a multiple of 16. A lane holds
  ;; 32,768 numbers of them before it overflows.
  (func (export "dot") (param $query i32) (param $row i32) (param $bytes i32) (result f32)
    (local $end i32) (local $step v128) (local $sum v128)
    (local.set $end (i32.add (local.get $row) (local.get $bytes)))
    (loop $steps
      (local.set $step (v128.load (local.get $row)))
      (local.set $sum (i32x4.add (local.get $sum) (i32x4.add
        (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $step)) (v128.load (local.get $query)))
        (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $step)) (v128.load offset=16 (local.get $query))))))
      (local.set $row (i32.add (local.get $row) (i32.const 16)))
      (local.set $query (i32.add (local.get $query) (i32.const 32)))
      (br_if $steps (i32.lt_u (local.get $row) (local.get $end))))
    (local.set $sum (f32x4.convert_i32x4_s (local.get $sum)))
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $sum)) (f32x4.extract_lane 1 (local.get $sum)))
      (f32.add (f32x4.extract_lane 2 (local.get $sum)) (f32x4.extract_lane 3 (local.get $sum)))))
)
