C CASE 72 control: loops made by jumps inside DO loops: iteration, test first, test last, nested
      PROGRAM C72
      INTEGER I, J, K, LAB
      REAL A(8), B(8), C(8), D(8), E(8), W(4), X, Y
      DATA A /1.,4.,9.,16.,2.,3.,5.,7./
C Newton's iteration: private work, unknown trip count, left from its middle
      DO 30 I=1,8 !@ parallel private=k,x,y
      K = 0
      X = A(I)
   10 K = K + 1
      Y = 0.5*(X + A(I)/X)
      IF (ABS(Y - X) .LT. 1.E-5) GOTO 20
      X = Y
      IF (K .LT. 40) GOTO 10
   20 B(I) = Y
   30 CONTINUE
C entered at its test
      DO 60 I=1,8 !@ parallel private=x
      X = A(I)
      GOTO 50
   40 X = 0.5*X
   50 IF (X .GT. 1.) GOTO 40
   60 C(I) = X
C a work array filled anew at each turn
      DO 90 I=1,8 !@ parallel private=x,w,k
      X = A(I)
   70 DO 80 K=1,4 !@ parallel
   80 W(K) = X/K
      X = W(1) - W(4)
      IF (X .GT. 1.) GOTO 70
   90 D(I) = X
C loops in loops, arithmetic IF and computed GOTO
      DO 140 I=1,8 !@ parallel private=j,k,x,lab
      LAB = 1
      IF (A(I) .GT. 4.) LAB = 2
      J = 0
  100 J = J + 1
      K = 0
  110 K = K + 1
      X = A(I)*K + J
      IF (X - 9.) 115, 118, 118
  115 IF (K .LT. 5) GOTO 110
      IF (J .LT. 5) GOTO 100
  118 GOTO (120, 130) LAB
  120 X = -X
  130 E(I) = X
  140 CONTINUE
C what the turn before leaves in X reaches the next iteration of the DO loop
      X = 0.
      DO 170 I=1,8 !@ serial
  150 IF (A(I) .GT. 3.) GOTO 160
      X = X + A(I)
      A(I) = A(I) + 1.
      GOTO 150
  160 A(I) = A(I) + X
  170 CONTINUE
      PRINT '(8F9.4)', B, C, D, E, A
      END
